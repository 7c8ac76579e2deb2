import type { Plugin } from 'vite';
import type { BrowserCommand } from 'vitest/node';
import type { Facade } from './facade.ts';
import type { Humeur } from './humeur.ts';

/** One house at a time: the files of browser tests run one after the other. */
let facade: Facade | null = null;

async function laFacade(): Promise<Facade> {
  // Not at the top: every run of the tests reads this file, and few need a server.
  const { Facade } = await import('./facade.ts');
  return (facade ??= new Facade());
}

/** What a test in the browser can do to the world outside of it. */
export const commands = {
  /** Opens a fresh house; the one before is gone, its database too. */
  ouvrirMaison: async () => (await laFacade()).ouvrir(),
  fermerMaison: async () => (await laFacade()).fermer(),
  /** Says who is signed in from here on. */
  connecter: async (_, utilisateur) => {
    (await laFacade()).utilisateur = utilisateur;
  },
  /** Says how the layer in front of the server behaves from here on. */
  humeur: async (_, humeur) => {
    (await laFacade()).humeur = humeur;
  },
  /** Cuts every page of a replica off in the middle, after so many. */
  couperApres: async (_, tirages) => {
    (await laFacade()).tiragesAvantCoupure = tirages;
  },
  /** Breaks every open event stream off. */
  couperLeFlux: async () => {
    for (const reponse of (await laFacade()).flux) reponse.destroy();
  },
  fluxOuverts: async () => (await laFacade()).flux.size,
} satisfies {
  ouvrirMaison: BrowserCommand;
  fermerMaison: BrowserCommand;
  connecter: BrowserCommand<[utilisateur: string | null]>;
  humeur: BrowserCommand<[humeur: Humeur]>;
  couperLeFlux: BrowserCommand;
  fluxOuverts: BrowserCommand;
  couperApres: BrowserCommand<[tirages: number | null]>;
};

/** Puts the house behind the tests' own origin. */
export const facadePlugin = (): Plugin => ({
  name: 'rayonnage-facade',
  configureServer({ middlewares }) {
    middlewares.use((demande, reponse, suite) => {
      if (facade && demande.url?.startsWith('/api/')) facade.passer(demande, reponse);
      else suite();
    });
  },
});
