import { type ChangeFollower, createChangeFollower } from './change-follower.ts'

const followers = new WeakMap<object, ChangeFollower>()

/** The follower of the lists in this cache. */
export function followerOf(cache: object): ChangeFollower {
  const follower = followers.get(cache) ?? createChangeFollower()
  followers.set(cache, follower)
  return follower
}
