/**
 * How the layer in front of the server behaves: passing everything on, without a server behind it,
 * without a network before it, with a session that has ended, or with a page of its own.
 */
export type Humeur = 'normale' | 'sansServeur' | 'sansReseau' | 'sessionExpiree' | 'page';
