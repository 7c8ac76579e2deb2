import { livresView } from '$lib/records/livres/view.svelte';
import type { Auteur } from '#shared/auteurs';
import { auteursView } from '$lib/records/auteurs/view.svelte';

/** An author as a screen showed them last. */
interface LastSight {
  readonly nom: string;
  /** The author who has their books now, where this screen showed the author `id`. */
  mergedInto(id: number): Auteur | undefined;
}

interface Seen {
  readonly id: number;
  readonly nom: string;
  readonly livres: readonly { readonly id: number; readonly auteurIds: readonly number[] }[];
}

/**
 * Remembers the author of a screen, so that it can say who has the books once another device has
 * merged that author away. Call while a component is set up.
 */
export function keepSight(auteur: () => Auteur | undefined): LastSight {
  let seen = $state.raw<Seen | null>(null);

  $effect(() => {
    const shown = auteur();
    if (shown === undefined) return;
    const livres = auteursView.livresOf(shown.id).map((livre) => ({
      id: livre.id,
      auteurIds: livre.auteurs.map(({ id }) => id),
    }));
    seen = { id: shown.id, nom: shown.nom, livres };
  });

  return {
    get nom() {
      return seen?.nom ?? '';
    },
    mergedInto: (id) => (seen?.id === id ? findHeir(seen) : undefined),
  };
}

/** An author whom one of the books names by now, and did not before. */
function findHeir({ livres }: Seen): Auteur | undefined {
  for (const { id, auteurIds } of livres) {
    const heir = livresView.get(id)?.auteurs.find((auteur) => !auteurIds.includes(auteur.id));
    if (heir !== undefined) return auteursView.get(heir.id);
  }
  return undefined;
}
