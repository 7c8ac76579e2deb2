import { call } from '$lib/api/call';
import { m } from '$lib/paraglide/messages';
import { connection } from '$lib/sync/connection.svelte';
import { onlineAnswer } from '$lib/ui/online-answer.svelte';
import { listerMembres } from '#shared/membres';

/** What members are called, by their identifiers, as the server said last; none where the house has no accounts. */
let names = $state.raw<ReadonlyMap<string, string>>(new Map());

/** Asks what members are called, for a screen that tells who did something. Call while a component is set up. */
export function knowPeople(): void {
  const membres = onlineAnswer(
    (signal) => (connection.moi?.compte ? call(listerMembres, { signal }) : Promise.resolve([])),
    'naming who did something',
  );
  $effect(() => {
    if (membres.current !== null)
      names = new Map(membres.current.map(({ identifiant, nom }) => [identifiant, nom]));
  });
}

/** Who did it: what a member is called, else the name that a sign-on says. */
export const personLabel = (utilisateur: string | null): string =>
  utilisateur === null ? m.modifications_unknown() : (names.get(utilisateur) ?? utilisateur);
