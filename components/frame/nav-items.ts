import {
  BadgeCheck,
  BookOpenText,
  Boxes,
  ChartLine,
  CloudUpload,
  Columns2,
  Layers,
  LayoutDashboard,
  type LucideIcon,
  Rocket,
  ScrollText,
  Server,
  Settings,
} from "lucide-react";
import type { Permission } from "@/lib/domain/policy";

export type NavItem = {
  href: string;
  label: string;
  icon: LucideIcon;
  /** Whoever lacks it, in every environment, does not see the item. */
  permission: Permission;
  /** The daily round stands first and in the bottom bar of a phone; then what is set up once. */
  group: "work" | "manage";
  keywords?: string[];
};

/** A route as the frame links it: with the address that keeps the chosen environment. */
export type NavLink = NavItem & { address: string };

export const navItems: NavItem[] = [
  { href: "/", label: "Overview", icon: LayoutDashboard, permission: "portal.read", group: "work", keywords: ["home", "environments"] },
  { href: "/deploy", label: "Deploy", icon: CloudUpload, permission: "deployment.apply", group: "work", keywords: ["gpu", "model", "new"] },
  {
    href: "/playground",
    label: "Playground",
    icon: BookOpenText,
    permission: "document.upload",
    group: "work",
    keywords: ["ocr", "read", "upload", "pdf"],
  },
  { href: "/batches", label: "Batches", icon: Layers, permission: "document.upload", group: "work", keywords: ["many", "zip", "folder", "queue"] },
  { href: "/compare", label: "Compare", icon: Columns2, permission: "document.upload", group: "work", keywords: ["diff", "lanes", "quality", "accuracy"] },
  { href: "/costs", label: "Costs", icon: ChartLine, permission: "cost.read", group: "work", keywords: ["price", "break-even", "usage"] },
  { href: "/deployments", label: "Deployments", icon: Rocket, permission: "environment.read", group: "manage", keywords: ["running", "list", "find", "state"] },
  {
    href: "/environments",
    label: "Environments",
    icon: Boxes,
    permission: "environment.read",
    group: "manage",
    keywords: ["members", "roles", "retention"],
  },
  { href: "/clusters", label: "Clusters", icon: Server, permission: "environment.read", group: "manage", keywords: ["kubernetes", "link", "kubeconfig", "preflight", "gpu"] },
  { href: "/approvals", label: "Approvals", icon: BadgeCheck, permission: "environment.read", group: "manage", keywords: ["approve", "review", "production"] },
  { href: "/audit", label: "Audit", icon: ScrollText, permission: "audit.read", group: "manage", keywords: ["log", "who"] },
  {
    href: "/settings",
    label: "Settings",
    icon: Settings,
    permission: "portal.read",
    group: "manage",
    keywords: ["tokens", "sessions", "prices"],
  },
];

/** The routes that a person may use, out of those that exist; plain strings, so that a server layout can hand them to the frame. */
export function visibleRoutes(can: (permission: Permission) => boolean): string[] {
  return navItems.filter((item) => can(item.permission)).map((item) => item.href);
}

/** The route's address, with the chosen environment kept where a page is about one. */
export function routeAddress(href: string, environment: string | null): string {
  return environment && ["/deploy", "/playground", "/batches", "/compare", "/costs"].includes(href) ? `${href}?env=${encodeURIComponent(environment)}` : href;
}

/** Whether the path belongs to the route: itself or below it; "/" only itself. */
export function isCurrentRoute(href: string, pathname: string): boolean {
  return href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`);
}
