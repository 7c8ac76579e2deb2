import type { Format, Livre, LivreDocument, LivreSaisi, TypeDocument } from '#shared/livres';
import { Refusal } from '#shared/refusals';
import type { Refus } from '../../api/error.ts';
import { m } from '../../paraglide/messages.js';

export type Champ =
  | 'isbn'
  | 'titre'
  | 'auteurs'
  | 'format'
  | 'typeDocument'
  | 'nombrePages'
  | 'editeur'
  | 'annee'
  | 'coverUrl';

export type Erreurs = Partial<Record<Champ, string>>;

/** A book's form: what is typed, as it is typed. */
export class SaisieLivre {
  isbn = $state('');
  titre = $state('');
  auteurs = $state<string[]>([]);
  /** A name that is being typed; it counts as one when the form is sent. */
  auteurEnCours = $state('');
  format = $state<Format>('Physique');
  typeDocument = $state<TypeDocument>('NonPrecise');
  nombrePages = $state('');
  editeur = $state('');
  annee = $state('');
  coverUrl = $state('');

  /** The form of a book that is there already. */
  static de(livre: LivreDocument): SaisieLivre {
    const saisie = new SaisieLivre();
    saisie.isbn = livre.isbnAffiche ?? '';
    saisie.titre = livre.titre;
    saisie.auteurs = livre.auteurs.map(({ nom }) => nom);
    saisie.format = livre.format;
    saisie.typeDocument = livre.typeDocument;
    saisie.nombrePages = texteDe(livre.nombrePages);
    saisie.editeur = livre.editeur ?? '';
    saisie.annee = texteDe(livre.annee);
    saisie.coverUrl = livre.coverUrl ?? '';
    return saisie;
  }

  /** The names in cover order, the one being typed included. */
  get noms(): string[] {
    const enCours = this.auteurEnCours.trim();
    return enCours === '' ? [...this.auteurs] : [...this.auteurs, enCours];
  }

  /** True while nothing is typed. */
  get vierge(): boolean {
    const { isbn, titre, nombrePages, editeur, annee, coverUrl } = this;
    return [isbn, titre, ...this.noms, nombrePages, editeur, annee, coverUrl].every(
      (texte) => texte.trim() === '',
    );
  }

  /** What can be said before asking the server: the rest is the server's to refuse. */
  verifier(): Erreurs {
    const erreurs: Erreurs = {};
    if (this.titre.trim() === '') erreurs.titre = m.titre_manque();
    if (Number.isNaN(nombreDe(this.nombrePages)))
      erreurs.nombrePages = new Refusal('NOMBRE_PAGES_INVALIDE').message;
    if (Number.isNaN(nombreDe(this.annee))) erreurs.annee = m.annee_invalide();
    return erreurs;
  }

  enLivre(): LivreSaisi {
    return {
      titre: this.titre,
      auteurs: this.noms,
      isbn: this.isbn,
      format: this.format,
      typeDocument: this.typeDocument,
      nombrePages: nombreDe(this.nombrePages),
      editeur: this.editeur,
      annee: nombreDe(this.annee),
      coverUrl: this.coverUrl,
    };
  }
}

/** Where a refusal of the server belongs in the form; nothing where it concerns the whole. */
export function erreursDe(refus: Refus | null): Erreurs {
  if (refus === null) return {};
  if (refus.code === 'ISBN_INVALIDE') return { isbn: refus.message };
  if (refus.code === 'NOMBRE_PAGES_INVALIDE') return { nombrePages: refus.message };
  if (refus.code === 'REQUETE_INVALIDE')
    return Object.fromEntries(
      refus.champs.map(({ champ, message }) => [champ.split('.')[0] ?? '', message]),
    );
  return {};
}

/** The books that a refused addition resembles. */
export const similairesDe = (refus: Refus | null): readonly Livre[] =>
  refus?.code === 'DOUBLON' ? refus.similaires : [];

const texteDe = (nombre: number | null): string => (nombre === null ? '' : String(nombre));

/** A typed number, `null` for an empty field, `NaN` for what is none. */
function nombreDe(texte: string): number | null {
  const chiffres = texte.replace(/\s/g, '').replace('−', '-');
  if (chiffres === '') return null;
  return /^-?\d+$/.test(chiffres) ? Number(chiffres) : Number.NaN;
}
