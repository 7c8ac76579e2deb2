import { MAX_EXPORT_ID, type ExportKind, type ExportRecord } from '#shared/export';
import type { Fault } from '#server/plumbing/common/parse-lenient';
import { invalid, raison, type Raison } from '#server/plumbing/common/raisons';

type Numbered = ExportKind | 'places' | 'prets';

const NOWHERE = raison('sansFiche');

interface Link {
  readonly champ: string;
  readonly kind: Numbered;
  readonly id: number | null;
  readonly raison?: Raison;
}

/** The ids of an archive, which its records may get back (docs/rules.md § 41): each belongs to one record. */
export class ArchiveIds {
  readonly #known = new Map<Numbered, Set<number>>();
  /** References within a kind, whose targets may follow. */
  #toParents: { readonly index: number; readonly link: Link }[] = [];

  /**
   * Registers the ids of a record, and returns its dangling references. Throws `FICHIER_INVALIDE` for an id that is
   * repeated within its kind, or that no household reaches.
   *
   * @param index of the record in its file, from 1
   */
  take(kind: ExportKind, record: ExportRecord<ExportKind>, index: number): Fault[] {
    const links: Link[] = [];
    if ('id' in record) this.#add(kind, record.id);
    if ('prets' in record) for (const { id } of record.prets) this.#add('prets', id);
    if ('places' in record)
      for (const [place, { id, livreId }] of record.places.entries()) {
        this.#add('places', id);
        links.push({ champ: `places.${place + 1}.livreId`, kind: 'livres', id: livreId });
      }
    if ('emplacementId' in record)
      links.push({ champ: 'emplacementId', kind: 'emplacements', id: record.emplacementId });
    if ('revueId' in record) {
      const why = raison('numeroSansRevue');
      links.push({ champ: 'revueId', kind: 'revues', id: record.revueId, raison: why });
    }
    if ('placeId' in record) links.push({ champ: 'placeId', kind: 'places', id: record.placeId });
    if (kind === 'lectures' && 'livreId' in record)
      links.push({ champ: 'livreId', kind: 'livres', id: record.livreId });
    if ('premierId' in record)
      for (const champ of ['premierId', 'secondId'] as const)
        links.push({ champ, kind: 'auteurs', id: record[champ] });
    if ('parentId' in record)
      this.#toParents.push({ index, link: { champ: 'parentId', kind, id: record.parentId } });
    return links.flatMap((link) => this.#faultOf(link) ?? []);
  }

  /** The dangling references within the kind that was read, each with its record. */
  endKind(): { readonly index: number; readonly fault: Fault }[] {
    const faults = this.#toParents.flatMap(({ index, link }) => {
      const fault = this.#faultOf(link);
      return fault === null ? [] : [{ index, fault }];
    });
    this.#toParents = [];
    return faults;
  }

  #add(kind: Numbered, id: number): void {
    if (id > MAX_EXPORT_ID) throw invalid(raison('numeroTropGrand', { fiches: kind, numero: id }));
    const known = this.#known.get(kind) ?? new Set();
    this.#known.set(kind, known);
    if (known.has(id)) throw invalid(raison('memeNumero', { fiches: kind, numero: id }));
    known.add(id);
  }

  #faultOf({ champ, kind, id, raison: why = NOWHERE }: Link): Fault | null {
    const leads = id === null || this.#known.get(kind)?.has(id) === true;
    return leads ? null : { champ, raison: why, text: String(id) };
  }
}
