import { afterNavigate, goto } from '$app/navigation';

/**
 * The way out of a form: back to the screen that it was opened from, so that the history keeps no
 * form behind; where there is none (a shared link, a reload), to `ailleurs`. To be made while a
 * component is set up.
 */
export function versRetour(): (ailleurs: string) => void {
  let venuDIci = false;
  afterNavigate(({ from, to, type }) => {
    if (type === 'enter') return;
    // Another part of the same form is no screen that it was opened from.
    if (from?.url.pathname !== to?.url.pathname) venuDIci = from !== null;
  });
  return (ailleurs) => {
    if (venuDIci) history.back();
    else void goto(ailleurs, { replaceState: true });
  };
}
