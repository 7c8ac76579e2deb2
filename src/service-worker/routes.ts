/** A segment in brackets is a parameter. Other paths go to the network: a sign-on layer may be at `/login`. */
export function isRoute(path: string, screens: readonly string[]): boolean {
  return screens.some((screen) =>
    new RegExp(`^${screen.replace(/\[\w+\]/g, '[^/]+')}/?$`).test(path),
  );
}
