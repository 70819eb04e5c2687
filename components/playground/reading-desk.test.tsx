// @vitest-environment jsdom
import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { PageOverlay } from "./page-overlay";
import { useDeskKeys, type DeskKeys } from "./use-desk-keys";
import { parseGrounding } from "@/lib/domain/grounding";

afterEach(cleanup);
Element.prototype.scrollIntoView = () => undefined; // jsdom has no layout

function Keys({ keys }: { keys: DeskKeys }) {
  useDeskKeys(keys);
  return <input aria-label="Search" />;
}

describe("the desk's keys", () => {
  const names = ["page", "block", "larger", "smaller", "actual", "fit", "turn", "find", "leave"] as const;
  const spies = () => Object.fromEntries(names.map((name) => [name, vi.fn()])) as unknown as Record<(typeof names)[number], ReturnType<typeof vi.fn>> & DeskKeys; // made from the names

  it.each([
    ["ArrowLeft", "page", -1],
    ["ArrowRight", "page", 1],
    ["ArrowUp", "block", -1],
    ["ArrowDown", "block", 1],
    ["+", "larger", undefined],
    ["-", "smaller", undefined],
    ["0", "actual", undefined],
    ["f", "fit", undefined],
    ["r", "turn", undefined],
    ["/", "find", undefined],
    ["Escape", "leave", undefined],
  ] as const)("%s: %s", (key, name, by) => {
    const keys = spies();
    render(<Keys keys={keys} />);
    fireEvent.keyDown(document.body, { key });
    expect(keys[name]).toHaveBeenCalledTimes(1);
    if (by !== undefined) expect(keys[name]).toHaveBeenCalledWith(by);
  });

  it("are left alone while someone types, and with Ctrl", () => {
    const keys = spies();
    const { getByLabelText } = render(<Keys keys={keys} />);
    fireEvent.keyDown(getByLabelText("Search"), { key: "f" });
    fireEvent.keyDown(document.body, { key: "f", ctrlKey: true });
    expect(keys.fit).not.toHaveBeenCalled();
  });
});

describe("boxes", () => {
  const blocks = parseGrounding("![title](100,50,900,100) # A\n![text](0,500,1000,1000) B\n![header](1,1,1,1) none\n![footer](0,0,10,10) F");
  const link = { hovered: null, selected: 1, hover: () => undefined, select: vi.fn() };

  it("lie in percent of the page, in reading order, without those that are hidden or have no area", () => {
    const { getAllByRole } = render(<PageOverlay blocks={blocks} isShown={(block) => block.label !== "footer"} isHit={(block) => block.index === 0} link={link} />);
    const boxes = getAllByRole("button");
    expect(boxes.map((box) => box.getAttribute("aria-label"))).toEqual(["Block 1, title: # A", "Block 2, text: B"]);
    expect(boxes[0]?.style).toMatchObject({ left: "10%", top: "5%", width: "80%", height: "5%" });
    expect(boxes.map((box) => box.getAttribute("aria-pressed"))).toEqual(["false", "true"]);
    expect(boxes.map((box) => box.dataset.hit)).toEqual(["true", undefined]);
    if (boxes[1]) fireEvent.click(boxes[1]);
    expect(link.select).toHaveBeenCalledWith(1);
  });
});
