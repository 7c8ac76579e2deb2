import type { Version } from '#shared/version';
import { connexion } from './connexion.svelte.ts';
import { instantane } from './instantanes.svelte.ts';

const derniere = () => instantane('version');

/** The server's version report, the last one seen when the server is out of reach; reactive. */
export const versionServeur = {
  get version(): Version | null {
    return derniere()?.valeur ?? null;
  },
  /** When the server gave it. */
  get vueLe(): Date | null {
    return derniere()?.date ?? null;
  },
  /** True when the server cannot be asked: it is then the last version seen from it. */
  get horsLigne(): boolean {
    return connexion.etat !== 'enLigne';
  },
};
