import type { FrontBehaviour } from '../support/front-behaviour.ts';

// The types of test/support/browser-commands.ts, for tests in the browser.
declare module 'vitest/browser' {
  interface BrowserCommands {
    openHouse(): Promise<void>;
    closeHouse(): Promise<void>;
    signIn(user: string | null): Promise<void>;
    setFrontBehaviour(behaviour: FrontBehaviour): Promise<void>;
    answers(addresses: readonly string[]): Promise<unknown[]>;
    breakStreams(): Promise<void>;
    openStreams(): Promise<number>;
    cutPullsAfter(pulls: number | null): Promise<void>;
    takeAsked(): Promise<string[]>;
  }
}
