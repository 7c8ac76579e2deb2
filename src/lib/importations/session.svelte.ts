import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { refusalOf } from '$lib/api/error';
import { m } from '$lib/paraglide/messages';
import { Submission } from '$lib/ui/submission.svelte';
import type { Colonnes, Decision, Importation } from '#shared/importations';
import {
  annulerImportation,
  executerImportation,
  lireImportation,
  startEssai,
  type Fichier,
} from './operations.ts';

/** The file, the dry run and the import that are on the screen. */
export class ImportationSession {
  importation = $state.raw<Importation | null>(null);
  /** The headers of a table that is not recognised; empty for any other file. */
  entetes = $state.raw<readonly string[]>([]);
  /** True once the server has written the import and this device is receiving it. */
  isArriving = $state(false);
  /** How many books went and how many stayed when the import was taken back. */
  undone = $state.raw<{ readonly retires: number; readonly gardes: number } | null>(null);
  /** What the person wants of single rows, by their numbers. */
  readonly decisions = new SvelteMap<number, Decision['sort']>();
  /** The titles of proposed series that the person does not want. */
  readonly seriesIgnorees = new SvelteSet<string>();
  readonly checking = new Submission();
  readonly making = new Submission();
  readonly undoing = new Submission();
  readonly opening = new Submission();
  #fichier = $state.raw<Fichier | null>(null);

  /** True where the file is at hand, to be read by other columns. */
  get hasFichier(): boolean {
    return this.#fichier !== null;
  }

  /** Reads a file; true when `importation` says what would become of it. */
  async check(fichier: Fichier): Promise<boolean> {
    this.#fichier = fichier;
    this.entetes = [];
    return this.#check(fichier, null);
  }

  /** Reads the same file once more, by a mapping. */
  async checkByColonnes(colonnes: Colonnes): Promise<boolean> {
    return this.#fichier !== null && this.#check(this.#fichier, colonnes);
  }

  async #check(fichier: Fichier, colonnes: Colonnes | null): Promise<boolean> {
    const isDone = await this.checking.run(async () => {
      this.#show(null);
      const importation = await startEssai(fichier, colonnes);
      this.#show(importation);
      this.entetes = importation.entetes;
    });
    const { refusal } = this.checking;
    if (refusal?.code === 'FICHIER_INVALIDE') this.entetes = refusal.entetes ?? [];
    return isDone;
  }

  make({ id }: Importation): Promise<boolean> {
    return this.making.run(async () => {
      this.isArriving = false;
      const decisions = [...this.decisions].map(([ligne, sort]) => ({ ligne, sort }));
      const choices = { decisions, seriesIgnorees: [...this.seriesIgnorees] };
      const importation = await executerImportation(id, choices, () => (this.isArriving = true));
      this.#show(importation);
    });
  }

  undo(importation: Importation): Promise<boolean> {
    return this.undoing.run(async () => {
      this.undone = await annulerImportation(importation.id);
      this.importation = { ...importation, etat: 'annulee' };
    });
  }

  /** Shows a dry run or an import of before. */
  async open(id: number, signal: AbortSignal): Promise<void> {
    if (this.importation?.id === id) return;
    this.#fichier = null;
    this.entetes = [];
    this.#show(null);
    await this.opening.run(() => this.refresh(id, signal));
    if (this.opening.refusal?.code === 'INTROUVABLE') this.opening.error = m.importation_unknown();
  }

  /** Reads the state of an import anew, for what the catalogues have answered since. */
  async refresh(id: number, signal: AbortSignal): Promise<void> {
    try {
      const importation = await lireImportation(id, signal);
      if (signal.aborted) return;
      if (this.importation?.id === id) this.importation = importation;
      else this.#show(importation);
    } catch (error) {
      if (!signal.aborted || refusalOf(error) !== null) throw error;
    }
  }

  /** Leaves the import as it is and clears the screen. */
  close(): void {
    this.#fichier = null;
    this.entetes = [];
    this.#show(null);
  }

  #show(importation: Importation | null): void {
    this.importation = importation;
    this.undone = null;
    this.decisions.clear();
    this.seriesIgnorees.clear();
    for (const submission of [this.making, this.undoing, this.opening]) submission.reset();
  }
}
