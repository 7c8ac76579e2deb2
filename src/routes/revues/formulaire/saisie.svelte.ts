import type { Refus } from '$lib/api/error';
import { lireParution, parution } from '$lib/format/parution';
import { m } from '$lib/paraglide/messages';
import { lireIssn } from '#shared/issn';
import type { Numero, NumeroSaisi } from '#shared/numeros';
import { Refusal } from '#shared/refusals';
import type { Revue, RevueSaisie } from '#shared/revues';
import { cleTexte } from '#shared/text';

/** A periodical's form: what is typed, as it is typed. */
export class SaisieRevue {
  titre = $state('');
  issn = $state('');
  erreurs = $state.raw<{ titre?: string; issn?: string }>({});

  constructor({ titre, issn }: Pick<Revue, 'titre' | 'issn'>) {
    this.titre = titre;
    this.issn = issn ?? '';
  }

  /** What can be said before asking the server; tells whether nothing is wrong. */
  verifier(): boolean {
    const { titre, issn } = this;
    this.erreurs = {
      ...(titre.trim() === '' ? { titre: m.revue_titre_manque() } : {}),
      ...(issn.trim() !== '' && lireIssn(issn) === null
        ? { issn: new Refusal('ISSN_INVALIDE').message }
        : {}),
    };
    return Object.keys(this.erreurs).length === 0;
  }

  enRevue(): RevueSaisie {
    return { titre: this.titre, issn: this.issn };
  }

  /** Puts a refusal of the server at its field; tells whether it has one. */
  situer(refus: Refus | null): boolean {
    if (refus?.code === 'ISSN_INVALIDE' || refus?.code === 'REVUE_EXISTANTE')
      this.erreurs = { issn: refus.message };
    else if (refus?.code === 'REQUETE_INVALIDE') {
      const champs = refus.champs.filter(({ champ }) => champ === 'titre' || champ === 'issn');
      this.erreurs = Object.fromEntries(champs.map(({ champ, message }) => [champ, message]));
      return champs.length > 0;
    } else return false;
    return true;
  }
}

export type ChampNumero = 'numero' | 'date' | 'coverUrl' | 'une' | 'resume' | 'themes' | 'articles';

/** An issue's form: what is typed, as it is typed. */
export class SaisieNumero {
  numero = $state('');
  date = $state('');
  coverUrl = $state('');
  une = $state('');
  resume = $state('');
  themes = $state<string[]>([]);
  /** A theme that is being typed; it counts as one when the form is sent. */
  themeEnCours = $state('');
  /** The titles, separated by semicolons. */
  articles = $state('');
  erreurs = $state.raw<Partial<Record<ChampNumero, string>>>({});

  /** The form of an issue that is there already. */
  static de(numero: Numero): SaisieNumero {
    const saisie = new SaisieNumero();
    saisie.numero = numero.numero;
    saisie.date = numero.date === null ? '' : parution(numero.date);
    saisie.coverUrl = numero.coverUrl ?? '';
    saisie.une = numero.une ?? '';
    saisie.resume = numero.resume ?? '';
    saisie.themes = [...numero.themes];
    saisie.articles = numero.articles.join(' ; ');
    return saisie;
  }

  /** True while nothing is typed besides the number, which may be a proposal. */
  get sansContenu(): boolean {
    const { date, coverUrl, une, resume, themeEnCours, articles } = this;
    return (
      this.themes.length === 0 &&
      [date, coverUrl, une, resume, themeEnCours, articles].every((texte) => texte.trim() === '')
    );
  }

  /** Adds a theme, each once whatever its spelling. */
  ajouterTheme(entree: string): void {
    const nom = entree.trim();
    const cles = new Set(this.themes.map(cleTexte));
    if (nom !== '' && !cles.has(cleTexte(nom))) this.themes.push(nom);
  }

  /** What can be said before asking the server; tells whether nothing is wrong. */
  verifier(): boolean {
    const titres = titresDe(this.articles);
    this.erreurs = {
      ...(this.numero.trim() === '' ? { numero: m.numero_manque() } : {}),
      ...(lireParution(this.date) === undefined ? { date: m.date_invalide() } : {}),
      ...(titres.length === 0 && this.articles.trim() !== ''
        ? { articles: m.articles_sans_titre() }
        : {}),
    };
    return Object.keys(this.erreurs).length === 0;
  }

  enNumero(): NumeroSaisi {
    this.ajouterTheme(this.themeEnCours);
    this.themeEnCours = '';
    return {
      numero: this.numero,
      date: lireParution(this.date) ?? null,
      coverUrl: this.coverUrl,
      une: this.une,
      resume: this.resume,
      themes: [...this.themes],
      articles: titresDe(this.articles),
    };
  }

  /** Puts a refusal of the server at its field; tells whether it has one. */
  situer(refus: Refus | null): boolean {
    if (refus?.code === 'NUMERO_EXISTANT') this.erreurs = { numero: refus.message };
    else if (refus?.code === 'REQUETE_INVALIDE')
      this.erreurs = Object.fromEntries(
        refus.champs.map(({ champ, message }) => [champ.split('.')[0] ?? '', message]),
      );
    else return false;
    return true;
  }
}

/** The titles between semicolons: a title may hold commas (specification « feature article »). */
const titresDe = (texte: string): string[] =>
  texte
    .split(';')
    .map((titre) => titre.replace(/\s+/gu, ' ').trim())
    .filter((titre) => titre !== '');
