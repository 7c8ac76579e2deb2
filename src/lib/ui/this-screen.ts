import type { Navigation } from '@sveltejs/kit';
import { onDestroy } from 'svelte';
import { beforeNavigate, onNavigate } from '$app/navigation';

let screen = new AbortController();

/** Tells one screen from the next; call in the layout of all of them. Another search of one path is the same screen. */
export function followScreens(): void {
  const isSame = ({ from, to }: Navigation) => from?.url.pathname === to?.url.pathname;
  beforeNavigate((navigation) => {
    if (navigation.willUnload || isSame(navigation)) return;
    screen.abort();
    // Whoever stays after all is on the screen again.
    navigation.complete.catch(() => {
      if (screen.signal.aborted) screen = new AbortController();
    });
  });
  onNavigate((navigation) => {
    if (isSame(navigation)) return;
    screen.abort();
    screen = new AbortController();
  });
}

/** The screen of this moment: aborted once the person has gone elsewhere, or is on the way. */
export const thisScreen = (): AbortSignal => screen.signal;

/** Aborted with a component, as when another record takes its place; call while it is set up. */
export function thisComponent(): AbortSignal {
  const component = new AbortController();
  onDestroy(() => component.abort());
  return component.signal;
}

/** What an answer leads to, by default on this screen: where that is over by then, whoever has left stays where they are. */
export const whileHere =
  <A extends readonly unknown[]>(onSuccess: (...answer: A) => unknown, here = thisScreen()) =>
  async (...answer: A): Promise<void> => {
    if (!here.aborted) await onSuccess(...answer);
  };
