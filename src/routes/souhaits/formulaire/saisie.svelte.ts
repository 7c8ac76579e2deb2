import type { Refus } from '$lib/api/error';
import { m } from '$lib/paraglide/messages';
import { enAuteur } from '$lib/souhaits.svelte';
import { LONGUEURS } from '#shared/fields';
import { afficherIsbn } from '#shared/isbn';
import { issnDuCode977 } from '#shared/issn';
import type { Candidat } from '#shared/recherche';
import type { RevueSouhaitee, RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import type { Souhait, SouhaitSaisi } from '#shared/souhaits';

export type Champ = 'titre' | 'auteur' | 'isbn' | 'coverUrl' | 'numero' | 'issn';

export type Erreurs = Partial<Record<Champ, string>>;

/** The form of a wished book: what is typed, as it is typed. */
export class SaisieSouhait {
  titre = $state('');
  auteur = $state('');
  isbn = $state('');
  coverUrl = $state('');

  /** The form of a wish that is there. Its cover stays unless another is given. */
  static de(souhait: Souhait): SaisieSouhait {
    const saisie = new SaisieSouhait();
    saisie.titre = souhait.titre;
    saisie.auteur = souhait.auteur ?? '';
    saisie.isbn = souhait.isbnAffiche ?? '';
    return saisie;
  }

  remplir({ titre, auteurs, isbn, coverUrl }: Candidat): void {
    this.titre = titre;
    this.auteur = enAuteur(auteurs, LONGUEURS.nom);
    this.isbn = isbn === null ? this.isbn : afficherIsbn(isbn);
    this.coverUrl = coverUrl ?? '';
  }

  verifier(): Erreurs {
    return this.titre.trim() === '' ? { titre: m.titre_manque() } : {};
  }

  enSouhait(): SouhaitSaisi {
    const { titre, auteur, isbn, coverUrl } = this;
    return { titre, auteur, isbn, coverUrl };
  }
}

/** The form of a wished periodical. */
export class SaisieRevue {
  titre = $state('');
  numero = $state('');
  issn = $state('');

  static de(revue: RevueSouhaitee): SaisieRevue {
    const saisie = new SaisieRevue();
    saisie.titre = revue.titre;
    saisie.numero = revue.numero ?? '';
    saisie.issn = revue.issn ?? '';
    return saisie;
  }

  verifier(): Erreurs {
    return this.titre.trim() === '' ? { titre: m.titre_revue_manque() } : {};
  }

  /** The barcode of a cover says an ISSN too. */
  enRevue(): RevueSouhaiteeSaisie {
    const { titre, numero, issn } = this;
    return { titre, numero, issn: issnDuCode977(issn)?.issn ?? issn };
  }
}

/** Where a refusal of the server belongs in the form; nothing where it concerns the whole. */
export function erreursDe(refus: Refus | null): Erreurs {
  if (refus === null) return {};
  const { code, message } = refus;
  if (code === 'SOUHAIT_EXISTANT') return { titre: message };
  if (code === 'ISBN_INVALIDE') return { isbn: message };
  if (code === 'ISSN_INVALIDE') return { issn: message };
  if (code === 'REQUETE_INVALIDE')
    return Object.fromEntries(refus.champs.map((champ) => [champ.champ, champ.message]));
  return {};
}
