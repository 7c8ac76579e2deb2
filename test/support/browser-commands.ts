import type { Plugin } from 'vite';
import type { BrowserCommand } from 'vitest/node';
import type { Front } from './front.ts';
import type { FrontBehaviour } from './front-behaviour.ts';

/** A single household: the files of browser tests run one after another. */
let front: Front | null = null;

async function theFront(): Promise<Front> {
  // Loaded lazily: every test run reads this file, and few need a server.
  const { Front } = await import('./front.ts');
  return (front ??= new Front());
}

export const commands = {
  openHouse: async () => (await theFront()).open(),
  closeHouse: async () => (await theFront()).close(),
  signIn: async (_, user) => {
    (await theFront()).user = user;
  },
  setFrontBehaviour: async (_, behaviour) => {
    (await theFront()).behaviour = behaviour;
  },
  answers: async (_, addresses) => (await theFront()).answers(addresses),
  cutPullsAfter: async (_, pulls) => {
    (await theFront()).pullsBeforeCut = pulls;
  },
  breakStreams: async () => {
    for (const stream of (await theFront()).streams) stream.destroy();
  },
  openStreams: async () => (await theFront()).streams.size,
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

/** Proxies the household behind the tests' own origin. */
export const frontPlugin = (): Plugin => ({
  name: 'rayonnage-front',
  configureServer({ middlewares }) {
    middlewares.use((incoming, outgoing, next) => {
      if (front && incoming.url?.startsWith('/api/')) front.pass(incoming, outgoing);
      else next();
    });
  },
});
