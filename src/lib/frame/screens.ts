/** How the frame shows a screen. A screen without an entry has a column and the button « Ajouter ». */
interface ScreenLook {
  /** A list or a record: as wide as the window, with its actions at the edge and its texts in a column. */
  readonly isFull?: true;
  /** A form has its own actions. */
  readonly isForm?: true;
  /** True if the screen adds nothing, or something else than a book. */
  readonly isWithoutAdd?: true;
  /** True before sign-in: the screen has no frame. */
  readonly isDoor?: true;
}

/** By route; `test/architecture` compares this with `src/routes`, and asks for a decision about a new one. */
export const SCREENS: Readonly<Record<string, ScreenLook>> = {
  '/(catalogue)': { isFull: true },
  '/(catalogue)/livres/[id]': { isFull: true },
  '/a-propos': { isWithoutAdd: true },
  '/a-propos/diagnostic': { isWithoutAdd: true },
  '/aide': { isWithoutAdd: true },
  '/aide/[page]': { isWithoutAdd: true },
  '/auteurs': { isFull: true },
  '/auteurs/[id]': { isFull: true },
  '/connexion': { isDoor: true },
  '/connexion/retour': { isDoor: true },
  '/importer': { isFull: true, isForm: true, isWithoutAdd: true },
  '/imprimer': { isFull: true, isWithoutAdd: true },
  '/invitation': { isDoor: true },
  '/lectures': { isFull: true },
  '/lectures/[id]': { isFull: true },
  '/lectures/[id]/modifier': { isForm: true },
  '/lectures/ajouter': { isForm: true },
  '/livres/[id]/modifier': { isForm: true },
  '/livres/ajouter': { isFull: true, isForm: true },
  '/modifications': { isFull: true, isWithoutAdd: true },
  '/modifications/[id]': { isWithoutAdd: true },
  '/prets': { isFull: true, isWithoutAdd: true },
  '/rangement': { isFull: true, isWithoutAdd: true },
  '/rangement/[id]': { isFull: true, isWithoutAdd: true },
  '/rangement/[id]/modifier': { isForm: true, isWithoutAdd: true },
  '/rangement/etiquettes': { isWithoutAdd: true },
  '/rangement/ranger': { isWithoutAdd: true },
  '/rangement/recolement': { isWithoutAdd: true },
  '/reglages': { isWithoutAdd: true },
  '/reglages/compte': { isWithoutAdd: true },
  '/reglages/details': { isWithoutAdd: true },
  '/reglages/membres': { isWithoutAdd: true },
  '/revues': { isFull: true },
  '/revues/[id]': { isFull: true },
  '/revues/[id]/modifier': { isForm: true },
  '/revues/[id]/numeros/[numero]': { isFull: true },
  '/revues/[id]/numeros/[numero]/modifier': { isForm: true },
  '/revues/[id]/numeros/ajouter': { isForm: true },
  '/revues/ajouter': { isForm: true },
  '/selections': { isFull: true, isWithoutAdd: true },
  '/selections/[id]': { isFull: true, isWithoutAdd: true },
  '/selections/[id]/modifier': { isForm: true, isWithoutAdd: true },
  '/selections/ajouter': { isForm: true, isWithoutAdd: true },
  '/series': { isFull: true },
  '/series/[id]': { isFull: true },
  '/series/[id]/modifier': { isForm: true },
  '/series/ajouter': { isForm: true },
  '/souhaits': { isFull: true },
  '/souhaits/ajouter': { isForm: true },
  '/souhaits/de/[id]': { isWithoutAdd: true },
};
