import { connection } from '$lib/sync/connection.svelte';
import { derivedFromViews, views } from '$lib/sync/views.svelte';
import type { LectureMontree, Partage, SouhaitMontre } from '#shared/partages';
import { compareText, textKey } from '#shared/text';

export const nomOf = ({ nomComplet, utilisateur }: Pick<Partage, 'nomComplet' | 'utilisateur'>) =>
  nomComplet ?? utilisateur;

const all = derivedFromViews((): readonly Partage[] =>
  [...views().partages.values()].sort((a, b) => compareText(textKey(nomOf(a)), textKey(nomOf(b)))),
);

/** Another reader's shared reading. */
export interface OtherLecture extends LectureMontree {
  readonly key: string;
  readonly nom: string;
}

const others = (): readonly Partage[] =>
  all().filter(({ utilisateur }) => utilisateur !== connection.moi?.utilisateur);

const lectures = (): OtherLecture[] =>
  others().flatMap((partage) =>
    (partage.lectures ?? []).map((lecture, index) => ({
      ...lecture,
      key: `${String(partage.id)}-${String(index)}`,
      nom: nomOf(partage),
    })),
  );

/** A reader with the wishes that they show. */
export type ShownList = Partage & { readonly souhaits: readonly SouhaitMontre[] };

const lists = (): ShownList[] =>
  others().flatMap(({ souhaits, ...partage }) =>
    souhaits === null ? [] : [{ ...partage, souhaits }],
  );

/** The shared lists of the household's readers (docs/rules.md § 59). */
export const partagesView = {
  /** The present reader's own; `undefined` without any. */
  own: (): Partage | undefined =>
    all().find(({ utilisateur }) => utilisateur === connection.moi?.utilisateur),
  /** Others' readings by name, the latest of each first. */
  lectures,
  lecturesOf: (livreId: number): OtherLecture[] =>
    lectures().filter((lecture) => lecture.livreId === livreId),
  /** Others' non-empty wish lists, by name. */
  lists: (): readonly ShownList[] => lists().filter(({ souhaits }) => souhaits.length > 0),
  listOf: (id: number): ShownList | undefined => lists().find((list) => list.id === id),
};
