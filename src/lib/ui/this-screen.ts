import type { Navigation } from '@sveltejs/kit';
import { onDestroy } from 'svelte';
import { beforeNavigate, onNavigate } from '$app/navigation';

let screen = new AbortController();

/** Tracks the present screen; call in the root layout. Another search of one path is the same screen. */
export function followScreens(): void {
  const isSame = ({ from, to }: Navigation) => from?.url.pathname === to?.url.pathname;
  beforeNavigate((navigation) => {
    if (navigation.willUnload || isSame(navigation)) return;
    screen.abort();
    // A cancelled navigation leaves the person on the screen.
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

/** The present screen: aborted once the person leaves it. */
export const thisScreen = (): AbortSignal => screen.signal;

/** Aborted with a component, as when another record replaces it; call during its setup. */
export function thisComponent(): AbortSignal {
  const component = new AbortController();
  onDestroy(() => component.abort());
  return component.signal;
}

/** Runs a continuation only if the screen, by default the present one, is still shown. */
export const whileHere =
  <A extends readonly unknown[]>(onSuccess: (...answer: A) => unknown, here = thisScreen()) =>
  async (...answer: A): Promise<void> => {
    if (!here.aborted) await onSuccess(...answer);
  };
