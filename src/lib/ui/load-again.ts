import { connection } from '$lib/sync/connection.svelte';

/**
 * Loads a part of the application that could not be loaded before. Where that fails although the
 * server answers, the page is loaded anew: Firefox remembers a failed module as long as the page
 * lives, and after a release the files of the older version are gone.
 */
export async function loadAgain<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (connection.state !== 'offline') location.reload();
    throw error;
  }
}
