import type { TObject } from 'typebox';
import { expect, test } from 'vitest';
import { EmplacementSaisi } from '#shared/emplacements';
import { LectureSaisie } from '#shared/lectures';
import { LivreSaisi } from '#shared/livres';
import { NumeroSaisi } from '#shared/numeros';
import { PretCorrige } from '#shared/prets';
import { RevueSaisie } from '#shared/revues';
import { PlaceSaisie, SerieSaisie } from '#shared/series';
import { RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import { SelectionSaisie } from '#shared/selections';
import { SouhaitSaisi } from '#shared/souhaits';
import { EmplacementEntry } from '$lib/records/emplacements/kind';
import { LectureEntry } from '$lib/records/lectures/kind';
import { LivreEntry } from '$lib/records/livres/kind.svelte';
import { PretEntry } from '$lib/records/prets/kind';
import { NumeroEntry, RevueEntry } from '$lib/records/revues/kinds';
import { PlaceEntry, SerieEntry } from '$lib/records/series/kind.svelte';
import { ListeEntry, newSelection } from '$lib/records/selections/kind';
import { RevueSouhaiteeEntry, SouhaitEntry } from '$lib/records/souhaits/kinds';

const PRET = {
  id: 1,
  livreId: 1,
  emprunteur: 'Luc',
  datePret: '2024-01-02T10:00:00.000Z',
  dateRetour: null,
  dateRetourPrevue: null,
};
const REVUE = { id: 1, titre: '', issn: null, secondIssn: null, themes: [], nombreNumeros: 0 };
const SERIE = { titre: '', parentId: null, nombreTomes: null, places: [] };

/** What each form sends; the record is replaced, so a field that the form forgets would be emptied. */
const FORMS: Readonly<Record<string, readonly [shape: TObject, sent: () => object]>> = {
  livres: [LivreSaisi, () => new LivreEntry().toSaisie()],
  emplacements: [EmplacementSaisi, () => new EmplacementEntry().toSaisie()],
  lectures: [
    LectureSaisie,
    () => ({ ...new LectureEntry(null).toSaisie(), ...new LectureEntry(null, 1).toSaisie() }),
  ],
  prets: [PretCorrige, () => new PretEntry(PRET).toSaisie()],
  revues: [RevueSaisie, () => new RevueEntry(REVUE).toSaisie()],
  numeros: [NumeroSaisi, () => new NumeroEntry(null).toSaisie()],
  series: [SerieSaisie, () => new SerieEntry(SERIE).toSaisie()],
  places: [PlaceSaisie, () => PlaceEntry.of({}).toSaisie()],
  souhaits: [SouhaitSaisi, () => new SouhaitEntry(null).toSaisie()],
  // A selection has either criteria or books.
  selections: [
    SelectionSaisie,
    () => ({
      ...newSelection({ theme: 'Mer' }, true).toSaisie(),
      ...new ListeEntry([1], true).toSaisie(),
    }),
  ],
  'souhaits-revues': [RevueSouhaiteeSaisie, () => new RevueSouhaiteeEntry(null).toSaisie()],
};

test.each(Object.entries(FORMS))('the form of %s sends every field', (_, [shape, sent]) => {
  expect(Object.keys(sent())).toEqual(expect.arrayContaining(Object.keys(shape.properties)));
});
