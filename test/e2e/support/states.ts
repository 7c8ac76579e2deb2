/**
 * What axe looks at: a screen, by its folder in `src/routes` (`nowhere` for none), and a state of it, as
 * « /prets: a reminder ». `test/architecture` asks for at least one of every screen, and for each only once.
 */
export type State = `/${string}: ${string}` | `nowhere: ${string}`;
