import { type Migration, migrations } from '../database/migrate.ts'
import { addColumns } from '../database/new-columns.ts'

/** Migrations of a fictitious later version: they add to the schema of this one, and then remove. */
export const exampleMigrations: Record<string, Migration> = {
  '900-expand-estimates': {
    async up(db, types) {
      const { id, instant, clusteredOptions } = types
      await addColumns(db, types, 'tasks', [['estimate', 'integer']])
      await db.schema
        .createTable('timers')
        .addColumn('user_id', id, (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addColumn('id', id, (column) => column.notNull())
        .addColumn('at', instant, (column) => column.notNull())
        .addPrimaryKeyConstraint('timers_by_id', ['user_id', 'id'])
        .modifyEnd(clusteredOptions)
        .execute()
    },
    indexes: [
      { name: 'tasks_by_estimate', table: 'tasks', columns: ['user_id', 'estimate'] },
      { name: 'timers_by_time', table: 'timers', columns: ['at'] },
      { name: 'timers_of_user', table: 'timers', columns: ['user_id', 'at'] },
    ],
  },
  '901-contract-estimates': {
    async up(db) {
      await db.schema.dropIndex('tasks_by_creation').execute()
    },
  },
}

/** Makes this process one of that later version, until `becomeEarlier`. */
export const becomeLater = () => void Object.assign(migrations, exampleMigrations)

export function becomeEarlier() {
  for (const name of Object.keys(exampleMigrations)) delete migrations[name]
}
