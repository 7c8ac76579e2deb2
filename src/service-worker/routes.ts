/**
 * Whether a path below the application's base is one of its screens, of which a folder in brackets is a
 * parameter: those the application answers by itself. Any other is the network's; a sign-on may live at
 * `/login` of the same host.
 */
export function isRoute(path: string, screens: readonly string[]): boolean {
  return screens.some((screen) =>
    new RegExp(`^${screen.replace(/\[\w+\]/g, '[^/]+')}/?$`).test(path),
  );
}
