/**
 * A state of a screen that axe checks: the screen's folder in `src/routes` (`nowhere` for none) and a name, as «
 * /prets: a reminder ». `test/architecture` requires at least one per screen, each once.
 */
export type State = `/${string}: ${string}` | `nowhere: ${string}`;
