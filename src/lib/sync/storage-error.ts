/** Whether the device has no room left: Dexie and RxDB wrap the browser's error, once or twice. */
export function isQuota(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 4) return false;
  if (Reflect.get(error, 'name') === 'QuotaExceededError') return true;
  return ['inner', 'cause', 'failures', 'errors', 'parameters', 'writeError']
    .map((name): unknown => Reflect.get(error, name))
    .some((within) =>
      Array.isArray(within)
        ? within.some((one) => isQuota(one, depth + 1))
        : isQuota(within, depth + 1),
    );
}
