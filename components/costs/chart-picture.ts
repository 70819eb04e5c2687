/** A chart as a file of its own: colours that come from the page's theme are written out. */
export type Picture = { text: string; width: number; height: number };

const PAINTS = ["stroke", "fill", "font-size", "font-family"];

/** The first drawing inside an element as SVG text; null when there is none. */
export function svgOf(root: HTMLElement): Picture | null {
  const drawn = root.querySelector<SVGSVGElement>("svg.recharts-surface");
  if (!drawn) return null;
  const { width, height } = drawn.getBoundingClientRect();
  const copy = drawn.cloneNode(true) as SVGSVGElement; // a clone is of its original's kind
  const originals = [drawn, ...drawn.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, index) => {
    const original = originals[index];
    if (!original) return;
    const style = getComputedStyle(original);
    for (const name of PAINTS) if (style.getPropertyValue(name)) element.setAttribute(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ width: "100%", height: "100%", fill: getComputedStyle(root.closest("section") ?? root).backgroundColor })) ground.setAttribute(name, value);
  copy.prepend(ground);
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

/** The same at twice the size, for slides. */
export async function pngOf({ text, width, height }: Picture): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The browser could not draw the picture."))), "image/png"));
}
