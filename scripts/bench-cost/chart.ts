export async function measureSlider(): Promise<void> {}
