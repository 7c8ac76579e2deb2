/**
 * Whether a path below the application's base is one of its screens; a folder in brackets is a parameter. Any other
 * path goes to the network: a sign-on layer may be at `/login` of the same host.
 */
export function isRoute(path: string, screens: readonly string[]): boolean {
  return screens.some((screen) =>
    new RegExp(`^${screen.replace(/\[\w+\]/g, '[^/]+')}/?$`).test(path),
  );
}
