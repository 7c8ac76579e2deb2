import type { Plugin } from 'vite';
import type { BrowserCommand } from 'vitest/node';
import type { Front } from './front.ts';
import type { FrontBehaviour } from './front-behaviour.ts';

/** One house at a time: the files of browser tests run one after the other. */
let front: Front | null = null;

async function theFront(): Promise<Front> {
  // Not at the top: every run of the tests reads this file, and few need a server.
  const { Front } = await import('./front.ts');
  return (front ??= new Front());
}

/** Commands that a browser test runs in Node. */
export const commands = {
  /** Opens a fresh house; the one before is gone, its database too. */
  openHouse: async () => (await theFront()).open(),
  closeHouse: async () => (await theFront()).close(),
  /** Says who is signed in from here on. */
  signIn: async (_, user) => {
    (await theFront()).user = user;
  },
  /** Says how the layer in front of the server behaves from here on. */
  setFrontBehaviour: async (_, behaviour) => {
    (await theFront()).behaviour = behaviour;
  },
  answers: async (_, addresses) => (await theFront()).answers(addresses),
  /** Cuts every page of a pull off in the middle, after so many. */
  cutPullsAfter: async (_, pulls) => {
    (await theFront()).pullsBeforeCut = pulls;
  },
  /** Breaks every open event stream off. */
  breakStreams: async () => {
    for (const stream of (await theFront()).streams) stream.destroy();
  },
  openStreams: async () => (await theFront()).streams.size,
  /** The requests since the last call. */
  takeAsked: async () => (await theFront()).asked.splice(0),
} satisfies {
  openHouse: BrowserCommand;
  closeHouse: BrowserCommand;
  signIn: BrowserCommand<[user: string | null]>;
  setFrontBehaviour: BrowserCommand<[behaviour: FrontBehaviour]>;
  answers: BrowserCommand<[addresses: readonly string[]]>;
  cutPullsAfter: BrowserCommand<[pulls: number | null]>;
  breakStreams: BrowserCommand;
  openStreams: BrowserCommand;
  takeAsked: BrowserCommand;
};

/** Puts the house behind the tests' own origin. */
export const frontPlugin = (): Plugin => ({
  name: 'rayonnage-front',
  configureServer({ middlewares }) {
    middlewares.use((incoming, outgoing, next) => {
      if (front && incoming.url?.startsWith('/api/')) front.pass(incoming, outgoing);
      else next();
    });
  },
});
