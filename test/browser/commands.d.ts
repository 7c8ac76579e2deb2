import type { Humeur } from '../support/humeur.ts';

// The commands of test/support/browser-commands.ts, as the tests in the browser call them.
declare module 'vitest/browser' {
  interface BrowserCommands {
    ouvrirMaison(): Promise<void>;
    fermerMaison(): Promise<void>;
    connecter(utilisateur: string | null): Promise<void>;
    humeur(humeur: Humeur): Promise<void>;
    couperLeFlux(): Promise<void>;
    fluxOuverts(): Promise<number>;
    couperApres(tirages: number | null): Promise<void>;
  }
}
