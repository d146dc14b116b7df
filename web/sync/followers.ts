import { createChangeFollower } from './change-follower.ts'
import { perCache } from './per-cache.ts'

/** The follower of the lists in this cache. */
export const followerOf = perCache(() => createChangeFollower())
