type Block = { label: string; colour: string; dash?: string; x: number; y: number; width: number; height: number };

const blocks: Block[] = [
  { label: "1", colour: "var(--label-heading)", x: 36, y: 34, width: 176, height: 26 },
  { label: "2", colour: "var(--label-text)", x: 36, y: 76, width: 248, height: 64 },
  { label: "3", colour: "var(--label-table)", x: 36, y: 158, width: 248, height: 92 },
  { label: "4", colour: "var(--label-figure)", dash: "5 3", x: 36, y: 268, width: 112, height: 84 },
  { label: "5", colour: "var(--label-list)", dash: "1.5 3", x: 164, y: 268, width: 120, height: 84 },
];

const lines = [
  [44, 43, 158, 8],
  [44, 85, 230, 5],
  [44, 98, 224, 5],
  [44, 111, 232, 5],
  [44, 124, 140, 5],
  [174, 280, 96, 5],
  [174, 297, 84, 5],
  [174, 314, 100, 5],
  [174, 331, 66, 5],
] as const;

/** A drawn page with the boxes that the model finds; it carries no information, so a screen reader passes over it. */
export function PageSketch() {
  return (
    <svg viewBox="0 0 320 400" aria-hidden className="mx-auto h-[min(26rem,50vh)] w-auto overflow-visible">
      <rect x="0" y="0" width="320" height="400" rx="6" className="fill-card stroke-border" />
      {lines.map(([x, y, width, height]) => (
        <rect key={`${x}-${y}`} x={x} y={y} width={width} height={height} rx="2" className="fill-foreground/15" />
      ))}
      <TableLines />
      <path d="M44 340l26-34 20 20 14-16 36 30z" className="fill-foreground/12" />
      <circle cx="124" cy="288" r="8" className="fill-foreground/12" />
      {blocks.map((block) => (
        <BlockBox key={block.label} block={block} />
      ))}
    </svg>
  );
}

function TableLines() {
  return (
    <g className="stroke-foreground/20">
      {[181, 204, 227].map((y) => (
        <path key={y} d={`M44 ${y}h232`} />
      ))}
      {[120, 198].map((x) => (
        <path key={x} d={`M${x} 164v80`} />
      ))}
    </g>
  );
}

function BlockBox({ block }: { block: Block }) {
  return (
    <g style={{ color: block.colour }}>
      <rect
        x={block.x}
        y={block.y}
        width={block.width}
        height={block.height}
        rx="2"
        fill="currentColor"
        fillOpacity="0.09"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray={block.dash}
      />
      <rect x={block.x - 9} y={block.y - 8} width="17" height="15" rx="3" fill="currentColor" />
      <text x={block.x - 0.5} y={block.y + 3} textAnchor="middle" fontSize="9.5" fontWeight="600" fill="white">
        {block.label}
      </text>
    </g>
  );
}
