import { useEffect, useSyncExternalStore } from "react";

const never = () => () => {};

/** "⌘K" on Apple's keyboards, "Ctrl K" on the others and on the server. */
export function useCommandKeyName(): string {
  const isApple = useSyncExternalStore(
    never,
    () => /mac|iphone|ipad/i.test(navigator.userAgent),
    () => false,
  );
  return isApple ? "⌘K" : "Ctrl K";
}

/** Calls back on ⌘K or Ctrl K, also from inside a field, as editors do. */
export function useCommandKey(onPress: () => void) {
  useEffect(() => {
    function handle(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      onPress();
    }
    window.addEventListener("keydown", handle);
    return () => window.removeEventListener("keydown", handle);
  }, [onPress]);
}
