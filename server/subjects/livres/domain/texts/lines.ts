import { EmplacementTree } from '#shared/emplacement-tree';
import type { ExportLivre } from '#shared/export';
import type { Snapshot } from '#server/plumbing/database/snapshot';
import { source as emplacementSource } from '#server/subjects/emplacements';
import { readRecords } from '#server/plumbing/records/export';
import type { ExportedText } from '#server/plumbing/records/kind';
import { exportLivreSource } from '../../store/document.ts';
import { exportedLectures, type ExportedLecture } from '../../store/lectures.ts';
import { readTomes } from '../../store/tomes.ts';

const LIVRES = { source: exportLivreSource };

/** A book with the volume that it is, as lists for other programs tell it. */
export interface LivreLine extends ExportLivre {
  /** « Salon > Étagère 3 »; '' for a book that stands nowhere. */
  readonly emplacement: string;
  /** The reader's own, the earliest end first. */
  readonly lectures: readonly ExportedLecture[];
  readonly tome: { readonly serie: string; readonly numero: string | null } | null;
}

/** Every book in pages, by id. */
function* livreLines(snapshot: Snapshot, utilisateur: string | null): Generator<LivreLine[]> {
  const tree = new EmplacementTree(
    [...readRecords(snapshot, { source: emplacementSource }, utilisateur)].flat(),
  );
  for (const livres of readRecords(snapshot, LIVRES, utilisateur)) {
    const ids = livres.map(({ id }) => id);
    const tomes = readTomes(snapshot, ids);
    const byLivre = Map.groupBy(
      exportedLectures(snapshot, utilisateur, ids),
      ({ livreId }) => livreId,
    );
    yield livres.map((livre) => {
      const tome = tomes.find(({ livreId }) => livreId === livre.id);
      const path = tree.path(livre.emplacementId).map(({ nom }) => nom);
      const lectures = byLivre.get(livre.id) ?? [];
      return { ...livre, emplacement: path.join(' > '), tome: tome ?? null, lectures };
    });
  }
}

/** The text of every book: its head, then each page as `write` has it. */
export const livreText = (
  write: (lines: readonly LivreLine[]) => string,
  head = '',
): ExportedText['format'] =>
  function* (snapshot, utilisateur) {
    if (head !== '') yield head;
    for (const lines of livreLines(snapshot, utilisateur)) yield write(lines);
  };
