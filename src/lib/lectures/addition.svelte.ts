import { m } from '$lib/paraglide/messages';
import { CatalogueSearch } from '$lib/recherche/catalogue-search.svelte';
import { LectureEntry } from '$lib/records/lectures/entry';
import { ajouterLecture } from '$lib/records/lectures/kind';
import { livresView } from '$lib/records/livres/view.svelte';
import { joinTokens } from '$lib/ui/form/text-entry.svelte';
import type { Edition } from '#shared/candidats';
import { parseIsbn } from '#shared/isbn';
import { formatIsbn } from '#shared/isbn-format';
import type { Lecture } from '#shared/lectures';
import type { LivreDocument } from '#shared/livres';

/** A new reading: of the house's book that has the code, else of a book elsewhere. */
export class LectureAddition {
  readonly entry = new LectureEntry(null, null);
  readonly search = new CatalogueSearch();

  /** The book of the house that the typed code is. */
  get livre(): LivreDocument | undefined {
    const isbn = parseIsbn(this.entry.text('isbn'));
    return isbn === null ? undefined : livresView.byIsbn(isbn)[0];
  }

  /** Has the catalogues fill the form by its code; a book of the house fills it by itself. */
  async searchIsbn(): Promise<void> {
    const { livre } = this;
    if (livre !== undefined) {
      this.#fill({ ...livre, auteurs: livre.auteurs.map(({ nom }) => nom) });
      return;
    }
    const typed = this.entry.text('isbn');
    if (!this.search.canAsk || typed.trim() === '') return;
    this.search.reset();
    const result = await this.search.byIsbn(typed);
    if (result?.outcome === 'invalid' || result?.outcome === 'revue') {
      this.search.reset();
      this.entry.errors = {
        isbn: result.outcome === 'invalid' ? result.message : m.lecture_no_revue(),
      };
    }
    const [only] = result?.outcome === 'one' ? result.candidats : [];
    if (only !== undefined) this.select(only);
  }

  async searchTitre(): Promise<void> {
    if (!this.search.canAsk || this.entry.text('titre').trim() === '') return;
    this.search.reset();
    const auteurs = this.entry.text('auteurs').trim().replaceAll('\n', ', ');
    await this.search.byTitre(this.entry.text('titre'), auteurs);
  }

  select(candidat: Edition): void {
    this.#fill(candidat);
    this.search.selected = candidat;
  }

  save(): Promise<Lecture> {
    const { livre } = this;
    const saisie = this.entry.toSaisie();
    return ajouterLecture(livre === undefined ? saisie : { ...saisie, livreId: livre.id });
  }

  #fill({ titre, auteurs, isbn }: Pick<Edition, 'titre' | 'auteurs' | 'isbn'>): void {
    this.entry.setText('titre', titre);
    this.entry.setText('auteurs', joinTokens(auteurs));
    if (isbn !== null) this.entry.setText('isbn', formatIsbn(isbn));
  }
}
