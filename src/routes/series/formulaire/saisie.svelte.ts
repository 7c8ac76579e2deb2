import type { Refus } from '$lib/api/error';
import { bibliotheque } from '$lib/livres.svelte';
import { m } from '$lib/paraglide/messages';
import { lireTitres, numeroSuivant, type TitreLu } from '$lib/series/titres';
import { rienSiVide } from '#shared/fields';
import { afficherIsbn, lireIsbn } from '#shared/isbn';
import { Refusal } from '#shared/refusals';
import type { Place, PlaceSaisie, Serie, SerieSaisie } from '#shared/series';
import { cleTitre, normaliser } from '#shared/text';

export type ChampVolume = 'titre' | 'numero' | 'auteur' | 'isbn' | 'livreId';

let cles = 0;

/** A volume's row: what is typed, and the book that was found for it. */
export class SaisieVolume {
  readonly cle = `volume-${++cles}`;
  /** The place that it already is, `null` for a new one. */
  readonly id: number | null;
  numero = $state('');
  titre = $state('');
  auteur = $state('');
  isbn = $state('');
  livreId = $state<number | null>(null);
  erreurs = $state.raw<Partial<Record<ChampVolume, string>>>({});
  /** The key of a title whose book was taken away by hand: it is not found again by itself. */
  #refuse = '';

  constructor(place: Partial<Place> = {}) {
    this.id = place.id ?? null;
    this.numero = place.numero ?? '';
    this.titre = place.titre ?? '';
    this.auteur = place.auteur ?? '';
    this.isbn = place.isbn ? afficherIsbn(place.isbn) : '';
    this.livreId = place.livreId ?? null;
  }

  get vierge(): boolean {
    const { titre, auteur, isbn, livreId } = this;
    return livreId === null && [titre, auteur, isbn].every((texte) => texte.trim() === '');
  }

  lier(livreId: number, titre: string): void {
    this.livreId = livreId;
    this.titre = titre;
    this.erreurs = {};
  }

  delier(): void {
    this.livreId = null;
    this.#refuse = cleTitre(this.titre);
  }

  /** Finds the one owned book of the title that was typed; where there are two, a person chooses. */
  reconnaitre(): void {
    if (this.livreId !== null || normaliser(this.titre) === '') return;
    const cle = cleTitre(this.titre);
    if (cle === this.#refuse) return;
    const [livre, autre] = bibliotheque
      .chercher({ recherche: cle })
      .filter(({ titre }) => cleTitre(titre) === cle);
    if (livre && autre === undefined) this.livreId = livre.id;
  }

  verifier(): void {
    this.erreurs = {
      ...(this.titre.trim() === '' ? { titre: m.volume_titre_manque() } : {}),
      ...(this.isbn.trim() !== '' && lireIsbn(this.isbn) === null
        ? { isbn: new Refusal('ISBN_INVALIDE').message }
        : {}),
    };
  }

  /** @param connues the places that the series has at this moment */
  enPlace(connues: ReadonlySet<number>, auteurCommun: string): PlaceSaisie {
    const manque = this.livreId === null;
    return {
      id: this.id !== null && connues.has(this.id) ? this.id : null,
      titre: this.titre,
      numero: this.numero,
      livreId: this.livreId,
      auteur: rienSiVide(this.auteur) ?? (manque ? auteurCommun : null),
      isbn: this.isbn,
    };
  }
}

/** A series's form: what is typed, as it is typed. */
export class SaisieSerie {
  titre = $state('');
  /** The series that it stands in, by its id; empty for none. */
  parent = $state('');
  volumes = $state<SaisieVolume[]>([]);
  /** The author of the missing volumes that name none. */
  auteurCommun = $state('');
  erreurs = $state.raw<{ titre?: string; parent?: string }>({});
  /** The places that the series had when the form opened. */
  readonly #places: ReadonlySet<number>;
  #envoyes: readonly SaisieVolume[] = [];

  constructor(serie: Pick<Serie, 'titre' | 'parentId' | 'places'> | null, parentId = 0) {
    const places = serie?.places ?? [];
    this.titre = serie?.titre ?? '';
    this.parent = texteDe(serie === null ? parentId : (serie.parentId ?? 0));
    this.volumes = places.map((place) => new SaisieVolume(place));
    if (places.length === 0) this.volumes.push(new SaisieVolume({ numero: '1' }));
    this.#places = new Set(places.map(({ id }) => id));
  }

  get manquants(): number {
    return this.volumes.filter((volume) => volume.livreId === null && !volume.vierge).length;
  }

  /** Puts a row behind another, or last, with the number that follows, and gives it. */
  ajouter(apres = this.volumes.at(-1)): SaisieVolume {
    const volume = new SaisieVolume({ numero: numeroSuivant(apres?.numero ?? '0') });
    this.volumes.splice(apres ? this.volumes.indexOf(apres) + 1 : 0, 0, volume);
    return volume;
  }

  /** Takes a row out and gives the one to go on at; there is always one. */
  retirer(volume: SaisieVolume): SaisieVolume {
    const ici = this.volumes.indexOf(volume);
    this.volumes.splice(ici, 1);
    return this.volumes[Math.max(0, ici - 1)] ?? this.ajouter();
  }

  deplacer(volume: SaisieVolume, pas: -1 | 1): void {
    const ici = this.volumes.indexOf(volume);
    if (ici + pas < 0 || ici + pas >= this.volumes.length) return;
    this.volumes.splice(ici, 1);
    this.volumes.splice(ici + pas, 0, volume);
  }

  /** Makes rows of a pasted list, in place of the row or behind it; gives the last, if any. */
  coller(texte: string, ici = this.volumes.at(-1)): SaisieVolume | undefined {
    const volumes = lireTitres(texte).map((lu) => this.#volumeLu(lu));
    const rang = ici ? this.volumes.indexOf(ici) : 0;
    const remplace = ici?.vierge === true;
    this.volumes.splice(remplace ? rang : rang + 1, remplace ? 1 : 0, ...volumes);
    return volumes.at(-1);
  }

  #volumeLu({ numero, titre, auteur }: TitreLu): SaisieVolume {
    const serie = this.titre.trim();
    const nomme = titre !== '' ? titre : serie === '' ? numero : m.titre_du_tome({ serie, numero });
    const volume = new SaisieVolume({ numero, titre: nomme, auteur });
    volume.reconnaitre();
    return volume;
  }

  /** What can be said before asking the server; tells whether nothing is wrong. */
  verifier(): boolean {
    this.erreurs = this.titre.trim() === '' ? { titre: m.serie_titre_manque() } : {};
    const ecrits = this.volumes.filter((volume) => !volume.vierge);
    for (const volume of this.volumes) volume.erreurs = {};
    for (const volume of ecrits) volume.verifier();
    const justes = ecrits.every(({ erreurs }) => Object.keys(erreurs).length === 0);
    return justes && this.erreurs.titre === undefined;
  }

  /**
   * The payload. The places that another device has added since the form opened stay, at the end.
   *
   * @param actuelle the series as this device knows it now
   */
  enSerie(actuelle: Serie | undefined): SerieSaisie {
    this.#envoyes = this.volumes.filter((volume) => !volume.vierge);
    const places = actuelle?.places ?? [];
    const connues = new Set(places.map(({ id }) => id));
    return {
      titre: this.titre,
      parentId: this.parent === '' ? null : Number(this.parent),
      places: [
        ...this.#envoyes.map((volume) => volume.enPlace(connues, this.auteurCommun)),
        ...places.filter(({ id }) => !this.#places.has(id)),
      ],
    };
  }

  /** Puts a refusal of the server where it belongs; tells whether it has a place in the form. */
  situer(refus: Refus | null): boolean {
    if (refus?.code === 'CYCLE_IMPOSSIBLE') this.erreurs = { parent: refus.message };
    else if (refus?.code === 'REQUETE_INVALIDE')
      return refus.champs.map(({ champ, message }) => this.#situer(champ, message)).includes(true);
    else return false;
    return true;
  }

  #situer(champ: string, message: string): boolean {
    const [nom, rang, sousChamp] = champ.split('.');
    if (nom === 'titre') this.erreurs = { ...this.erreurs, titre: message };
    else if (nom === 'parentId') this.erreurs = { ...this.erreurs, parent: message };
    else if (nom === 'places') {
      const volume = this.#envoyes[Number(rang)];
      if (volume === undefined || !estChamp(sousChamp)) return false;
      volume.erreurs = { ...volume.erreurs, [sousChamp]: message };
    } else return false;
    return true;
  }
}

const estChamp = (nom: string | undefined): nom is ChampVolume =>
  nom !== undefined && ['titre', 'numero', 'auteur', 'isbn', 'livreId'].includes(nom);

const texteDe = (id: number): string => (id === 0 ? '' : String(id));
