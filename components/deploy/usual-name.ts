/** What a first deployment is called; the next ones get a number. */
export const USUAL_NAME = "lightonocr";
