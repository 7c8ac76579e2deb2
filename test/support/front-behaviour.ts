/**
 * How the layer in front of the server behaves. `transparent`: everything passes. Nothing there: `noNetwork`,
 * `noServer` (as a proxy says it). The five ways of a sign-on whose session has ended: `signOnElsewhere` and
 * `signOnHere` (302 to another host, to this one), `unauthorised` (401), `forbidden` (403 with a page), `signOnPage`
 * (200 with a page). A layer answers everything with JSON of its own: `emptyObject`, `emptyList`. The server fails: `failingPulls`. `lostAnswers`: writes arrive, and their answers are lost.
 * `stopping`, `busy`: the server ends, or has a long work to do first, and says that nothing is recorded.
 */
export type FrontBehaviour =
  | 'transparent'
  | 'noNetwork'
  | 'noServer'
  | 'signOnElsewhere'
  | 'signOnHere'
  | 'unauthorised'
  | 'forbidden'
  | 'signOnPage'
  | 'emptyObject'
  | 'emptyList'
  | 'failingPulls'
  | 'lostAnswers'
  | 'stopping'
  | 'busy';

/** What is between device and house, and what the application calls it. */
export const HINDRANCES = [
  ['noNetwork', 'offline'],
  ['noServer', 'offline'],
  ['signOnElsewhere', 'sessionExpired'],
  ['signOnHere', 'sessionExpired'],
  ['unauthorised', 'sessionExpired'],
  ['forbidden', 'sessionExpired'],
  ['signOnPage', 'sessionExpired'],
] as const satisfies readonly (readonly [FrontBehaviour, string])[];
