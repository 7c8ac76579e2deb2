import { ajouterLecture, noterLecture } from '$lib/records/lectures/kind';
import { lecturesView } from '$lib/records/lectures/view.svelte';
import { livresView } from '$lib/records/livres/view.svelte';
import type { Action } from '$lib/ui/action.svelte';
import type { Lecture } from '#shared/lectures';
import { STATUTS } from '#shared/statuts';

/** The reader's stars for a book: of the open reading, else of the last finished one. */
export class Rating {
  readonly #livreId: () => number;
  readonly #action: Action;
  /** Pressed stars, until the view shows them or the server refuses them. */
  #pressed = $state.raw<number | null>();

  /** @param action of which only the last press is written */
  constructor(livreId: () => number, action: Action) {
    this.#livreId = livreId;
    this.#action = action;
  }

  get reading(): Lecture | undefined {
    const statut = livresView.statut(this.#livreId());
    if (statut !== STATUTS.enCours && statut !== STATUTS.lu) return undefined;
    const wanted = statut === STATUTS.enCours ? 'EnCours' : 'Lue';
    return lecturesView.ofLivre(this.#livreId()).find((lecture) => lecture.statut === wanted);
  }

  /** Half stars, 1 to 10. */
  get note(): number | null {
    return this.#pressed === undefined ? (this.reading?.note ?? null) : this.#pressed;
  }

  /** Stores a rating of the shown reading. Of several presses the last one is stored, after the running request. */
  async rate(note: number | null): Promise<boolean> {
    this.#pressed = note;
    const rated = this.reading?.id;
    const isDone = await this.#action.run(() => this.#write(rated, note));
    this.#pressed = undefined;
    return isDone;
  }

  #write(rated: number | undefined, note: number | null) {
    const livreId = this.#livreId();
    // The first stars may have created the reading meanwhile.
    const isRead = livresView.statut(livreId) === STATUTS.lu;
    const id = rated ?? (isRead ? this.reading?.id : undefined);
    return id === undefined ? ajouterLecture({ livreId, note }) : noterLecture(id, { note });
  }
}
