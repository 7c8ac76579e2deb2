/** The status line, which tells why « Ajouter » cannot be used. */
export const ETAT = 'etat';

/** Where the skip link leads. */
export const CONTENU = 'contenu';
