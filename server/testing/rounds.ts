/**
 * How many times a test repeats random steps or steps that depend on timing: `full` times in `npm run torture`, which sets
 * TORTURE, and otherwise a quarter of that, or `usual` times.
 */
export const rounds = (full: number, usual = Math.ceil(full / 4)): number =>
  process.env.TORTURE ? full : usual
