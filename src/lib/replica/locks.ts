/**
 * Runs `travail` alone among the tabs of this browser that name the same lock. On plain http there
 * are no locks: it then runs at once, and two tabs may do the same work twice.
 */
export function seul<T>(nom: string, travail: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!('locks' in navigator)) return travail();
  return navigator.locks.request(nom, signal ? { signal } : {}, travail);
}
