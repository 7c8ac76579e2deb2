import BookCheck from '@lucide/svelte/icons/book-check';
import { ApiError, refusalOf } from '$lib/api/error';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { views } from '$lib/sync/views.svelte';
import { operation } from '$lib/api/write.svelte';
import type { EditableKind, ScreenKind } from '$lib/ui/kind';
import * as endpoints from '#shared/lectures';
import type { Lecture, LectureSaisie } from '#shared/lectures';
import { LECTURE_FIELDS, LectureEntry } from './entry.ts';
import { lecturesView } from './view.svelte.ts';

/** Notes a reading. */
export const ajouterLecture = operation(endpoints.ajouterLecture);
const modifierLecture = operation(endpoints.modifierLecture);
const supprimerLecture = operation(endpoints.supprimerLecture);

/**
 * Writes some of what is noted of a reading; the rest stays as the server has it, which may be newer than this
 * device's copy (docs/rules.md § 29).
 */
export async function noterLecture(
  id: number,
  fields: Partial<LectureSaisie>,
  from = lecturesView.get(id),
  revision = views().revisionOf('lectures', id),
): Promise<Lecture | null> {
  if (from === undefined) return null;
  const { id: _, statut: __, ...noted } = from;
  try {
    return await modifierLecture(id, { ...noted, ...fields }, { ifMatch: revision });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.code !== 'MODIFIE_ENTRETEMPS' || !(error instanceof ApiError)) throw error;
    if (refusal.actuel === null || error.revision === revision) throw error;
    return noterLecture(id, fields, unsafeCast<Lecture>(refusal.actuel), error.revision);
  }
}

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
