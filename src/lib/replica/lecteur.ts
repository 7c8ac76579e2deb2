/** Someone else than the reader of the open replica is signed in. */
export class LecteurChange extends Error {}

/** Whose copy is open; `verifier` throws `LecteurChange` when someone else is signed in. */
export interface Lecteur {
  readonly utilisateur: string | null;
  readonly verifier: () => Promise<void>;
}
