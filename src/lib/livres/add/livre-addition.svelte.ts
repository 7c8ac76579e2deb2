import { page } from '$app/state';
import { unsentCovers } from '$lib/couvertures/unsent.svelte';
import { emplacementOf } from '$lib/emplacements/path.svelte';
import { href } from '$lib/format/address';
import { ownedLike, ownedOf } from '$lib/lectures/owned';
import { m } from '$lib/paraglide/messages';
import { codeKey, parseCode } from '$lib/recherche/code';
import { ajouterLecture, type LectureEntry } from '$lib/records/lectures/kind';
import { type LivreEntry, ajouterLivre } from '$lib/records/livres/kind.svelte';
import { auteursLine, livresView } from '$lib/records/livres/view.svelte';
import { ajouterSouhait, SouhaitEntry, souhaits, wishOf } from '$lib/records/souhaits/kinds';
import { waitingWishes, type NewWish } from '$lib/records/souhaits/waiting.svelte';
import { Batch, feedback, type UndoGroup } from '$lib/api/feedback.svelte';
import { ajouterVolumes } from '$lib/records/series/volumes';
import type { LookupResult } from '$lib/recherche/lookup.svelte';
import { removeArrived } from '$lib/records/souhaits/lots';
import { wishesLike } from '$lib/souhaits/arrived';
import { ArrivedSelection } from '$lib/souhaits/arrived-selection.svelte';
import { unawaited } from '$lib/sync/report';
import { DraftForm, type DraftEntry } from '$lib/ui/form/draft-form.svelte';
import { joinTokens, splitTokens } from '$lib/ui/form/text-entry.svelte';
import { isbnAsWritten } from '#shared/isbn';
import type { Lecture } from '#shared/lectures';
import type { Livre, LivreDocument } from '#shared/livres';
import type { SpineVolume } from '$lib/couvertures/jacket/spines';
import { choices } from './choices.svelte.ts';
import type { ScanSessionItem } from './scan-session-item.ts';
import { scanSession } from './scan-session.svelte.ts';
import { borrowerOf, nextVolumeOf, type NextVolume } from './address.ts';
import { LivreQuestion, printedCode } from './livre-question.svelte.ts';
import { PURPOSES, type Purpose } from './purposes.ts';
import { lendAdded, noteReading } from './follow-ups.ts';
import { volumesOfLines, volumesOfSpan, type SeveralVolume } from './several.ts';

/** A record added in this visit, with its spine on the board. */
export interface AddedRecord {
  readonly volume: SpineVolume;
  readonly href: string;
  /** The added book; `null` for a wish and for a reading. */
  readonly livre: Livre | null;
  readonly undoGroup: UndoGroup | null;
  /** The entry and the reading, restored if the addition is undone. */
  readonly entry: LivreEntry;
  readonly reading: LectureEntry;
}

/** The fields that the address may set: a scanned code, the words of an unsuccessful search. */
const GIVEN = ['isbn', 'titre', 'auteurs', 'editeur', 'annee', 'nombrePages', 'serie', 'numero'];

const READING = 'lecture.';

/** The book and its reading as one form: one draft, one validation. */
const asOneEntry = (entry: LivreEntry, reading: LectureEntry): DraftEntry => ({
  fields: [
    ...entry.fields,
    ...reading.fields.map((field) => ({ ...field, key: READING + field.key })),
  ],
  text: (key) =>
    key.startsWith(READING) ? reading.text(key.slice(READING.length)) : entry.text(key),
  setText: (key, text) => {
    if (key.startsWith(READING)) reading.setText(key.slice(READING.length), text);
    else entry.setText(key, text);
  },
  get prefilled() {
    return entry.prefilled;
  },
  set prefilled(prefilled) {
    entry.prefilled = prefilled;
  },
  check: () => entry.check(),
  showAtField: (refusal) => {
    if (choices().whose === 'souhait') return placeWishRefusal(entry, refusal);
    return entry.showAtField(refusal) || reading.showAtField(refusal);
  },
});

/** The refusal of a wish is shown at the book's fields. */
function placeWishRefusal(entry: LivreEntry, refusal: Parameters<LivreEntry['showAtField']>[0]) {
  const wish = new SouhaitEntry(null);
  const isShownAtField = wish.showAtField(refusal);
  const { auteur, ...errors } = wish.errors;
  entry.errors = auteur === undefined ? errors : { ...errors, auteurs: auteur };
  return isShownAtField;
}

/** « Ajouter »: books one after another, and the handling of scanned codes (docs/rules.md § 49). */
export class LivreAddition extends LivreQuestion {
  readonly form: DraftForm;
  readonly action: DraftForm['action'];
  readonly draft: DraftForm['draft'];
  /** In this visit, the last at the end. */
  added = $state.raw<readonly AddedRecord[]>([]);
  /** Whether the whole form is unfolded, also for the next book. */
  isUnfolded = $state(false);
  /** Several volumes at once, from « Astérix 1-4 » or pasted titles; empty for one book. */
  several = $state.raw<readonly SeveralVolume[]>([]);
  /** The title that the reader declared to be another book. */
  declined = $state('');
  /** The entry of the last undone addition, until another code is scanned. */
  #undone = $state.raw<{ readonly entry: LivreEntry; readonly isbn: string | null } | null>(null);
  /** The wishes of the reader that the book of the card is. */
  readonly leaving = new ArrivedSelection(() =>
    choices().whose === 'souhait' || choices().whose === 'ailleurs' ? [] : wishesLike(this.oeuvre),
  );
  /** The code that a scanner gave the form last. */
  #given: string | null = null;

  /** Call during a component's setup. */
  constructor(purpose: Purpose) {
    super();
    const given = this.#takeGiven();
    // A code in the address has its own draft, so that other drafts stay.
    const name = [PURPOSES[purpose].name, ...given].join('/');
    this.form = new DraftForm({ name, entry: () => asOneEntry(this.entry, choices().reading) });
    ({ action: this.action, draft: this.draft } = this.form);
    const { searchParams } = page.url;
    const isAlone = [...searchParams.keys()].every((key) => key === 'titre');
    // A title alone comes from an unsuccessful search; further fields from a book begun elsewhere.
    if (searchParams.get('champ') === 'titre' || (searchParams.has('titre') && !isAlone))
      this.on('write');
    else if (searchParams.has('titre')) {
      this.words = this.entry.text('titre');
      this.entry.setText('titre', '');
    }
  }

  #takeGiven(): string[] {
    return GIVEN.flatMap((key) => {
      const text = page.url.searchParams.get(key)?.trim() ?? '';
      if (text === '') return [];
      this.entry.setText(key, text);
      return [text];
    });
  }

  /** The series of the book, unless its title or a person names another one. */
  get volume(): NextVolume | null {
    return this.entry.text('serie').trim() === '' ? nextVolumeOf(page.url) : null;
  }

  /** The borrower of the book once it is added; '' for nobody. */
  get emprunteur(): string {
    return borrowerOf(page.url);
  }

  get last(): AddedRecord | null {
    return this.added.at(-1) ?? null;
  }

  /** The work on the card. */
  get oeuvre() {
    const { entry } = this;
    return {
      titre: entry.text('titre').trim(),
      auteurs: splitTokens(entry.text('auteurs')),
      isbn: isbnAsWritten(entry.text('isbn')),
    };
  }

  override get isOfAny(): boolean {
    return choices().whose === 'ailleurs';
  }

  /** The household's books of the card's work, one for each author of that title. */
  get works(): readonly LivreDocument[] {
    const { titre, auteurs, isbn } = this.oeuvre;
    const same = isbn === null ? undefined : livresView.byIsbn(isbn)[0];
    if (same !== undefined) return [same];
    if (titre === '' || titre === this.declined) return [];
    const found =
      choices().whose === 'souhait' ? ownedLike(titre, auteurs) : ownedOf(titre, auteurs);
    return [...new Map(found.toReversed().map((one) => [auteursLine(one.auteurs), one])).values()];
  }

  /**
   * Handles a scanned code: in the form if that is free, else in the scan session.
   *
   * @returns true if the form takes it and has to look it up
   */
  take(text: string): boolean {
    const code = codeKey(text);
    const line = scanSession.currentLineOf(code);
    // A book whose addition was undone is looked up again.
    const isFreeLine = line?.state.kind === 'inForm' || line?.state.kind === 'removed';
    if (line !== undefined && !isFreeLine) scanSession.see(code);
    else if (code === this.#code) {
      this.entry.setText('isbn', code);
      const count = line === undefined ? 1 : scanSession.countAgain(line);
      scanSession.scans.say(m.scan_again({ code: this.entry.text('titre') || code, count }), line);
      const { outcome = 'silent' } = this.lookup.result ?? {};
      if (outcome === 'silent' || outcome === 'failed') return !this.isSearching;
    } else if (!this.#isFree || (parseCode(code).kind === 'revue' && scanSession.items.length > 0))
      scanSession.see(code);
    else {
      this.#moveAside();
      this.#given = code;
      this.#undone = null;
      this.entry.setText('isbn', code);
      if (parseCode(code).kind === 'livre') scanSession.note(code, { kind: 'inForm' });
      return true;
    }
    return false;
  }

  /** Whether the form can take the next code: nothing is typed, and no lookup is running. */
  get #isFree(): boolean {
    if (this.isSearching || this.action.pending) return false;
    if (this.#isBlank || this.#showsUndone) return true;
    return this.query.trim() !== '' && !this.isWritten;
  }

  get #isBlank(): boolean {
    return this.words === '' && this.entry.isBlank;
  }

  /** Whether more than the question was typed. Catalogue values can be fetched again. */
  get isWritten(): boolean {
    const { fields, texts, prefilled, image, isImageComing } = this.entry;
    const isSame = (text: string, other = '') => text.trim() === other.trim();
    // Words that found nothing are somebody's own.
    if (this.words !== '' && this.state !== 'Found') return true;
    return (
      image !== null ||
      isImageComing ||
      !choices().reading.isBlank ||
      fields.some(
        ({ key, options }) =>
          key !== 'isbn' && !isSame(texts[key] ?? '', prefilled.texts[key] || options?.[0]?.value),
      )
    );
  }

  /** The code in the form, without digits of the next one typed by a scanner. */
  get #code(): string {
    const text = this.entry.text('isbn');
    return codeKey(this.#given !== null && text.startsWith(this.#given) ? this.#given : text);
  }

  get #showsUndone(): boolean {
    return this.#undone?.entry === this.entry;
  }

  #moveAside(): void {
    const { entry, lookup } = this;
    const code = this.#code;
    const message = entry.errors['isbn'];
    const isPartOfCode = parseCode(code).kind === 'unknown' && message === undefined;
    // An otherwise empty form may have its code: the next one was typed over it.
    const isUndone = this.#showsUndone || (lookup.result === null && code === this.#undone?.isbn);
    if (!this.#isBlank && !isUndone && !isPartOfCode) {
      const isSure = this.isPicked || this.editions.length === 1;
      if (message !== undefined) scanSession.note(code, { kind: 'failed', message });
      else if (lookup.selected !== null && isSure && this.state !== 'Owned' && entry.check())
        unawaited(
          scanSession.add(scanSession.note(code, { kind: 'adding' }), entry.toSaisie()),
          'adding a scanned book',
        );
      // A result by title tells nothing about the code.
      else if (lookup.result === null || lookup.kind === 'titre') scanSession.see(code);
      else scanSession.follow(code, lookup.result);
    }
    this.show();
    this.on('leave');
    this.draft.restart();
  }

  /** Clears the form of an undone addition once another book's code is typed; an emptied field drops what it found. */
  codeChanged(): void {
    if (this.state === 'Owned' && this.query.trim() === '') this.leave();
    const isbn = isbnAsWritten(this.entry.text('isbn'));
    if (!this.#showsUndone || isbn === null || isbn === this.#undone?.isbn) return;
    const entry = this.newEntry();
    entry.setText('isbn', this.entry.text('isbn'));
    this.show(entry);
    this.on('leave');
  }

  get isLastUndone(): boolean {
    return this.last?.undoGroup?.isUndone === true;
  }

  /** Restores the entry of an undone addition, unless the next one has begun. */
  restoreLast(): void {
    const { last } = this;
    this.added = this.added.slice(0, -1);
    const line = scanSession.scans.items.find(
      ({ state }) => state.kind === 'added' && state.livre.id === last?.livre?.id,
    );
    if (line !== undefined) scanSession.noteRemoved(line);
    if (last === null || !this.#isBlank || last.entry.isBlank) return;
    this.show(last.entry);
    choices().reading = last.reading;
    this.on('undo');
    this.#undone = { entry: last.entry, isbn: isbnAsWritten(last.entry.text('isbn')) };
  }

  /**
   * Removes the item of a code that left the form; one from before a reload, or of another tab, continues in the scan
   * session.
   */
  followForm(): void {
    const code = this.#code;
    for (const line of scanSession.scans.items) {
      if (line.state.kind !== 'inForm') continue;
      if (line.code === code) this.#given = code;
      else if (line.code === this.#given) scanSession.scans.drop(line);
      else scanSession.lookUpLines(line);
    }
  }

  dropGiven(): void {
    const given = ({ code, state }: ScanSessionItem) =>
      state.kind === 'inForm' && code === this.#given;
    scanSession.scans.drop(...scanSession.scans.items.filter(given));
  }

  override reset(): void {
    super.reset();
    this.several = [];
    this.action.reset();
  }

  override async ask(): Promise<LookupResult | null> {
    const several = this.isCode || this.#isElsewhere ? [] : volumesOfSpan(this.query);
    if (several.length === 0) return super.ask();
    this.#show(several);
    return null;
  }

  /** Handles pasted titles, one a line. */
  askLines(lines: readonly string[]): void {
    this.#show(volumesOfLines(lines, nextVolumeOf(page.url)));
  }

  #show(several: readonly SeveralVolume[]): void {
    this.reset();
    this.several = several;
    this.on('ask');
    this.on('find');
  }

  /** The volumes still to be added. */
  get wanted(): readonly SeveralVolume[] {
    return this.several.filter(({ isOwned }) => !isOwned);
  }

  /** A wish or a reading is of a single book. */
  get #isElsewhere(): boolean {
    return choices().whose === 'souhait' || choices().whose === 'ailleurs';
  }

  /** Adds the book and clears the form for the next one; `onSuccess` and `part` as in `Action`. */
  async save(isConfirmed: boolean, onSuccess: () => unknown, part: AbortSignal): Promise<void> {
    const { entry } = this;
    const isAgreed = isConfirmed || this.isCopy;
    const add = async (givenUp: AbortSignal) => {
      await this.#send(entry, givenUp, isAgreed);
      this.show();
      this.on('add');
      this.draft.restart();
    };
    if (this.several.length === 0) await this.form.submit(add, onSuccess, part);
    else await this.form.send(() => this.#addSeveral(entry), onSuccess, part);
  }

  /** Adds several volumes as one undo group. */
  async #addSeveral(entry: LivreEntry): Promise<void> {
    const { wanted } = this;
    const { reading } = choices();
    const livres = await feedback.batch(
      async (batch) => {
        const emplacementId = await emplacementOf(choices().emplacement, batch);
        choices().keepEmplacement(emplacementId);
        return ajouterVolumes(wanted, batch, { emplacementId, emprunteA: choices().emprunt });
      },
      () => ({ text: m.add_several_done({ count: wanted.length }) }),
    );
    const { undoGroup } = feedback;
    this.added = [
      ...this.added,
      ...livres.map((livre) => {
        return {
          volume: livre,
          livre,
          href: href(`/livres/${livre.id}`),
          undoGroup,
          entry,
          reading,
        };
      }),
    ];
    this.show();
    this.on('add');
    this.draft.restart();
  }

  async #send(entry: LivreEntry, givenUp: AbortSignal, confirmerDoublon: boolean): Promise<void> {
    const { reading } = choices();
    const added = await this.#add(entry, givenUp, confirmerDoublon);
    this.added = [...this.added, { ...added, entry, reading }];
    choices().forgetBook();
  }

  #add(
    entry: LivreEntry,
    givenUp: AbortSignal,
    confirmerDoublon: boolean,
  ): Promise<Omit<AddedRecord, 'entry' | 'reading'>> {
    switch (choices().whose) {
      case 'souhait':
        return this.#addWish(entry, givenUp);
      case 'ailleurs':
        return this.#addReading(entry, givenUp);
      case 'aNous':
      case 'emprunte':
        return this.#addLivre(entry, givenUp, confirmerDoublon);
    }
  }

  async #addLivre(entry: LivreEntry, givenUp: AbortSignal, confirmerDoublon: boolean) {
    const { volume, emprunteur } = this;
    const leaving = this.leaving.ids;
    const { added, undoGroup } = await unsentCovers.add(
      async (batch) => {
        const emplacementId = await emplacementOf(choices().emplacement, batch);
        choices().keepEmplacement(emplacementId);
        const saisie = {
          ...entry.toSaisie(),
          ...(volume && { place: { serie: { id: volume.id }, numero: volume.numero } }),
          emplacementId,
          emprunteA: choices().emprunt,
        };
        const notice = ({ id }: Livre) => ({ href: href(`/livres/${id}`) });
        return ajouterLivre(saisie, { query: { confirmerDoublon }, batch, givenUp, notice });
      },
      entry.image,
      ({ id, titre }) => ({ record: { kind: 'livres', id }, titre }),
      givenUp,
    );
    // One undo group, with the book's own notice.
    const more = new Batch();
    await removeArrived(leaving, more);
    await noteReading(added.id, more);
    await lendAdded(added.id, emprunteur, more);
    undoGroup?.extend(more);
    // The line of a scanned book shows the addition, too.
    const lines = scanSession.scans.items.filter(({ code }) => code === added.isbn);
    const line = lines.find(({ state }) => state.times !== undefined) ?? lines[0];
    if (line !== undefined) scanSession.noteAdded(line, added);
    return { volume: added, livre: added, href: href(`/livres/${added.id}`), undoGroup };
  }

  async #addWish(entry: LivreEntry, givenUp: AbortSignal) {
    const { added, undoGroup } = await unsentCovers.add(
      (batch) =>
        ajouterSouhait(wishOf(entry), {
          batch,
          givenUp,
          // A book of the household may be wished for; the bar says so, with a link.
          notice: ({ livreId, ...souhait }) =>
            livreId === undefined
              ? { text: m.souhait_added_at_rang(souhait), href: href('/souhaits') }
              : { text: m.souhait_owned(souhait), href: href(`/livres/${livreId}`) },
        }),
      entry.image,
      ({ id, titre }) => ({ record: { kind: 'souhaits', id }, titre }),
      givenUp,
    );
    return {
      ...this.#spineOf(entry, `souhait ${added.id}`),
      href: souhaits.hrefOf(added),
      undoGroup,
    };
  }

  async #addReading(entry: LivreEntry, givenUp: AbortSignal) {
    const [known, ...others] = this.works;
    const { titre, auteurs, isbn } = this.oeuvre;
    const of =
      known !== undefined && others.length === 0
        ? { livreId: known.id }
        : { livreId: null, titre, auteurs, isbn };
    const hrefOf = (lecture: Lecture) =>
      lecture.livreId === null
        ? href(`/lectures/${lecture.id}`)
        : href(`/livres/${lecture.livreId}`);
    const notice = (lecture: Lecture) => ({ href: hrefOf(lecture) });
    const saisie = { ...choices().reading.toSaisie(), ...of };
    const { added, undoGroup } = await unsentCovers.add(
      (batch) => ajouterLecture(saisie, { batch, givenUp, notice }),
      null,
      ({ id, titre: nom }) => ({ record: { kind: 'livres', id }, titre: nom }),
      givenUp,
    );
    return { ...this.#spineOf(entry, `lecture ${added.id}`), href: hrefOf(added), undoGroup };
  }

  #spineOf(entry: LivreEntry, id: string) {
    const { titre, auteurs } = this.oeuvre;
    const volume: SpineVolume = {
      id,
      titre,
      auteurs: auteurs.map((nom) => ({ id: 0, nom })),
      nombrePages: Number(entry.text('nombrePages')) || null,
      typeDocument: entry.text('typeDocument') === 'BandeDessinee' ? 'BandeDessinee' : 'NonPrecise',
    };
    return { volume, livre: null };
  }

  /** Links the reading to an owned book. */
  takeWork({ titre, auteurs, isbnAffiche }: LivreDocument): void {
    const { entry } = this;
    for (const key of ['titre', 'auteurs']) entry.setText(key, '');
    if (isbnAffiche !== null) entry.setText('isbn', isbnAffiche);
    const texts = { titre, auteurs: joinTokens(auteurs.map(({ nom }) => nom)) };
    entry.prefill({ code: codeKey(entry.text('isbn')), texts });
  }

  /** True if the card has nothing but a code, which this device can note. */
  get canNoteCode(): boolean {
    const isLivre = parseCode(this.entry.text('isbn')).kind === 'livre';
    return this.isLost && isLivre && !this.isWritten && !this.#isElsewhere;
  }

  /** Stores a code on this device, to become a book once the catalogues can be asked. */
  noteCode(isbn: string): void {
    const { entry } = this;
    const code = codeKey(isbn);
    const isNew = scanSession.see(code);
    const line = scanSession.currentLineOf(code);
    if (isNew && line !== undefined) {
      const volume = { ...this.#spineOf(entry, line.id).volume, titre: code };
      const noted = {
        volume,
        livre: null,
        undoGroup: null,
        href: href('/livres/ajouter?scanner=fin'),
      };
      this.added = [...this.added, { ...noted, entry, reading: choices().reading }];
      scanSession.scans.say(m.add_noted_code({ code: printedCode(isbn) }), line);
    }
    feedback.close();
    this.show();
    this.on('add');
    this.draft.restart();
  }

  /** Keeps the wish on this device, to be sent later; false where the browser keeps nothing. */
  noteWish(): boolean {
    const { entry } = this;
    const wish: NewWish = { kind: 'livre', saisie: wishOf(entry) };
    const { titre } = wish.saisie;
    // A picture is too large for the browser's storage.
    const text = entry.image ? m.wish_noted_without_image({ titre }) : m.wish_noted({ titre });
    if (waitingWishes.has(wish)) entry.errors = { titre: m.wish_already_noted() };
    else if (!waitingWishes.note(wish, { text, href: href('/souhaits') }))
      this.action.error = m.wish_not_kept();
    else {
      this.show();
      this.on('add');
      this.draft.restart();
      return true;
    }
    return false;
  }
}
