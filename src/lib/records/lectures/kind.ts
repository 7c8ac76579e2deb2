import BookCheck from '@lucide/svelte/icons/book-check';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { operation } from '$lib/sync/operation';
import type { EditableKind, ScreenKind } from '$lib/ui/kind';
import * as endpoints from '#shared/lectures';
import type { Lecture, LectureSaisie } from '#shared/lectures';
import { LECTURE_FIELDS, LectureEntry } from './entry.ts';
import { lecturesView } from './view.svelte.ts';

/** Notes a reading. */
export const ajouterLecture = operation(endpoints.ajouterLecture);
const modifierLecture = operation(endpoints.modifierLecture);
const supprimerLecture = operation(endpoints.supprimerLecture);

/** Rewrites some of what is noted of a reading; the rest stays. */
export const noterLecture = (
  { id, statut: _, ...lecture }: Lecture,
  fields: Partial<LectureSaisie>,
): Promise<Lecture> => modifierLecture(id, { ...lecture, ...fields });

export const lectures: EditableKind<Lecture, LectureEntry> & ScreenKind<Lecture> = {
  collection: 'lectures',
  label: m.kind_lecture,
  fields: LECTURE_FIELDS,
  get: (id) => lecturesView.get(id),
  titreOf: ({ titre }) => titre,
  entryOf: (lecture) => new LectureEntry(lecture),
  ajouter: (entry) => ajouterLecture(entry.toSaisie()),
  modifier: (id, entry, ifMatch) => modifierLecture(id, entry.toSaisie(), { ifMatch }),
  supprimer: ({ id }, ifMatch) => supprimerLecture(id, { ifMatch }),
  hrefOf: ({ id, livreId }) =>
    livreId === null ? href(`/lectures/${id}`) : href(`/livres/${livreId}`),
  listOf: () => ({ href: href('/lectures'), label: m.destination_lectures() }),
  notFound: () => ({
    icon: BookCheck,
    heading: m.lecture_not_found(),
    text: m.not_found_text_feminine(),
    back: { href: href('/lectures'), label: m.back_to_lectures() },
  }),
};
