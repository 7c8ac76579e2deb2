/**
 * How the proxy in front of the server behaves. `transparent`: forwards everything. `noNetwork`, `noServer`: nothing
 * answers, or the proxy says 502. The session of the sign-on layer has expired: `signOnElsewhere` and `signOnHere`
 * (302 to another host, or to this one), `unauthorised` (401), `forbidden` (403 with a page), `signOnPage` (200 with
 * a page). `emptyObject`, `emptyList`: the proxy answers with JSON of its own. `failingPulls`: the server fails on
 * pulls. `lostAnswers`: writes arrive, but their responses are lost. `stopping`, `busy`: the server is shutting down,
 * or a long write is running; nothing was stored.
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

/** The behaviours that prevent a request, with the kind of failure that the application reports. */
export const HINDRANCES = [
  ['noNetwork', 'offline'],
  ['noServer', 'offline'],
  ['signOnElsewhere', 'sessionExpired'],
  ['signOnHere', 'sessionExpired'],
  ['unauthorised', 'sessionExpired'],
  ['forbidden', 'sessionExpired'],
  ['signOnPage', 'sessionExpired'],
] as const satisfies readonly (readonly [FrontBehaviour, string])[];
