export const mainId = "main";

export function SkipLink() {
  return (
    <a
      href={`#${mainId}`}
      className="fixed top-2 left-2 z-70 -translate-y-20 rounded-md bg-accent px-3 py-2 font-medium text-accent-foreground focus:translate-y-0"
    >
      Skip to the content
    </a>
  );
}
