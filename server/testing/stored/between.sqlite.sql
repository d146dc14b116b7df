-- 002-expand-folded-texts
-- 003-expand-composed-emails
-- 004-expand-credentials
alter table "sessions" add column "scope" text default 'session' not null;
alter table "sessions" add column "name" text default '' not null;
alter table "sessions" add column "expires_at" integer;
create table "rebuilt_changes" ("user_id" text not null references "users" ("id") on delete cascade, "seq" integer not null, "id" text not null, "at" integer not null, "device" text not null, "kind" text not null, "item" text, "mutation" text, "group_id" text, "undoes" integer, "fields" text not null, "by" text default '' not null, "before" text, "previous" integer, constraint "changes_key" primary key ("user_id", "seq")) strict, without rowid;
insert into "rebuilt_changes" ("user_id", "seq", "id", "at", "device", "kind", "item", "mutation", "group_id", "undoes", "fields", "before", "previous") select "user_id", "seq", "id", "at", "device", "kind", "item", "mutation", "group_id", "undoes", "fields", "before", "previous" from "changes";
drop table "changes";
alter table "rebuilt_changes" rename to "changes";
CREATE INDEX "changes_by_mutation" on "changes" ("user_id", "mutation", "item") where mutation is not null;
CREATE INDEX "changes_by_group" on "changes" ("user_id", "group_id") where group_id is not null;
CREATE INDEX "edits_of_item" on "changes" ("user_id", "item", "seq", "previous") where previous is distinct from 0;
create table "rebuilt_versions" ("user_id" text not null references "users" ("id") on delete cascade, "seq" integer not null, "note_id" text not null, "at" integer not null, "device" text not null, "thinned" integer not null, "by" text default '' not null, "text" text not null, constraint "versions_key" primary key ("user_id", "seq")) strict, without rowid;
insert into "rebuilt_versions" ("user_id", "seq", "note_id", "at", "device", "thinned", "text") select "user_id", "seq", "note_id", "at", "device", "thinned", "text" from "versions";
drop table "versions";
alter table "rebuilt_versions" rename to "versions";
CREATE INDEX "versions_of_note" on "versions" ("user_id", "note_id", "seq");
CREATE INDEX "versions_to_thin_by_hour" on "versions" ("at") where thinned = 0;
CREATE INDEX "versions_to_thin_by_day" on "versions" ("at") where thinned = 1;
create table "rebuilt_notes" ("user_id" text not null references "users" ("id") on delete cascade, "id" text not null, "version" integer not null, "pinned" integer not null check (pinned in (0, 1)), "created_at" integer not null, "changed_at" integer not null, "deleted_at" integer, "saved_seq" integer not null, "saved_by" text not null, "version_since" integer not null, "title" text not null, "snippet" text not null, "saved_by_name" text default '' not null, "text" text not null, "folded" text not null, constraint "notes_by_id" primary key ("user_id", "id")) strict, without rowid;
insert into "rebuilt_notes" ("user_id", "id", "version", "pinned", "created_at", "changed_at", "deleted_at", "saved_seq", "saved_by", "version_since", "title", "snippet", "text", "folded") select "user_id", "id", "version", "pinned", "created_at", "changed_at", "deleted_at", "saved_seq", "saved_by", "version_since", "title", "snippet", "text", "folded" from "notes";
drop table "notes";
alter table "rebuilt_notes" rename to "notes";
CREATE INDEX "notes_by_change" on "notes" ("user_id", "pinned", "changed_at", "id", "deleted_at") where deleted_at is null;
CREATE INDEX "notes_by_deletion" on "notes" ("user_id", "deleted_at", "id") where deleted_at is not null;
CREATE INDEX "deleted_notes" on "notes" ("deleted_at") where deleted_at is not null;
alter table "users" add column "disabled_at" integer;
create index "sessions_by_expiry" on "sessions" ("expires_at") where expires_at is not null;
-- 005-expand-guesses
create table "guesses" ("user_id" text not null, "key" text not null, "count" integer not null, "since" integer not null, "last_at" integer not null, constraint "guesses_key" primary key ("user_id", "key")) strict, without rowid;
create index "guesses_of_known_sites" on "guesses" ("since") where key like 'known %';
create index "guesses_of_others" on "guesses" ("since") where key not like 'known %';
-- 006-expand-due-times
create table "rebuilt_tasks" ("user_id" text not null references "users" ("id") on delete cascade, "id" text not null, "version" integer not null, "title" text not null, "due_date" text not null, "priority" integer not null check (priority in (1, 2, 3)), "created_at" integer not null, "done_at" integer, "deleted_at" integer, "due_time" text default '24:00' not null, "body" text not null, "folded" text default '' not null, constraint "tasks_by_id" primary key ("user_id", "id")) strict, without rowid;
insert into "rebuilt_tasks" ("user_id", "id", "version", "title", "due_date", "priority", "created_at", "done_at", "deleted_at", "body", "folded") select "user_id", "id", "version", "title", "due_date", "priority", "created_at", "done_at", "deleted_at", "body", "folded" from "tasks";
drop table "tasks";
alter table "rebuilt_tasks" rename to "tasks";
CREATE INDEX "tasks_by_day" on "tasks" ("user_id", "due_date", "priority", "id") where done_at is null and deleted_at is null;
CREATE INDEX "tasks_by_priority" on "tasks" ("user_id", "priority", "due_date", "id") where done_at is null and deleted_at is null;
CREATE INDEX "tasks_by_creation" on "tasks" ("user_id", "created_at", "id") where done_at is null and deleted_at is null;
CREATE INDEX "tasks_by_completion" on "tasks" ("user_id", "done_at", "id") where done_at is not null and deleted_at is null;
CREATE INDEX "tasks_by_deletion" on "tasks" ("user_id", "deleted_at", "id") where deleted_at is not null;
CREATE INDEX "deleted_tasks" on "tasks" ("deleted_at") where deleted_at is not null;
drop index "tasks_by_day";
drop index "tasks_by_priority";
create index "tasks_by_day_and_time" on "tasks" ("user_id", "due_date", "due_time", "priority", "id") where done_at is null and deleted_at is null;
create index "tasks_by_priority_and_time" on "tasks" ("user_id", "priority", "due_date", "due_time", "id") where done_at is null and deleted_at is null;
create index "tasks_by_creation_without_day" on "tasks" ("user_id", "created_at", "id") where done_at is null and deleted_at is null and due_date = '9999-12-31';
-- 007-expand-repeats
create table "rebuilt_tasks" ("user_id" text not null references "users" ("id") on delete cascade, "id" text not null, "version" integer not null, "title" text not null, "due_date" text not null, "priority" integer not null check (priority in (1, 2, 3)), "created_at" integer not null, "done_at" integer, "deleted_at" integer, "due_time" text default '24:00' not null, "repeat" text, "repeat_from" integer default 1 not null, "repeat_day" text, "series" text, "body" text not null, "folded" text default '' not null, constraint "tasks_by_id" primary key ("user_id", "id")) strict, without rowid;
insert into "rebuilt_tasks" ("user_id", "id", "version", "title", "due_date", "priority", "created_at", "done_at", "deleted_at", "due_time", "body", "folded") select "user_id", "id", "version", "title", "due_date", "priority", "created_at", "done_at", "deleted_at", "due_time", "body", "folded" from "tasks";
drop table "tasks";
alter table "rebuilt_tasks" rename to "tasks";
CREATE INDEX "tasks_by_creation" on "tasks" ("user_id", "created_at", "id") where done_at is null and deleted_at is null;
CREATE INDEX "tasks_by_completion" on "tasks" ("user_id", "done_at", "id") where done_at is not null and deleted_at is null;
CREATE INDEX "tasks_by_deletion" on "tasks" ("user_id", "deleted_at", "id") where deleted_at is not null;
CREATE INDEX "deleted_tasks" on "tasks" ("deleted_at") where deleted_at is not null;
CREATE INDEX "tasks_by_day_and_time" on "tasks" ("user_id", "due_date", "due_time", "priority", "id") where done_at is null and deleted_at is null;
CREATE INDEX "tasks_by_priority_and_time" on "tasks" ("user_id", "priority", "due_date", "due_time", "id") where done_at is null and deleted_at is null;
CREATE INDEX "tasks_by_creation_without_day" on "tasks" ("user_id", "created_at", "id") where done_at is null and deleted_at is null and due_date = '9999-12-31';
-- 008-expand-change-events
create table "rebuilt_changes" ("user_id" text not null references "users" ("id") on delete cascade, "seq" integer not null, "id" text not null, "at" integer not null, "device" text not null, "kind" text not null, "item" text, "mutation" text, "group_id" text, "undoes" integer, "fields" text not null, "by" text default '' not null, "event" text, "before" text, "previous" integer, constraint "changes_key" primary key ("user_id", "seq")) strict, without rowid;
insert into "rebuilt_changes" ("user_id", "seq", "id", "at", "device", "kind", "item", "mutation", "group_id", "undoes", "fields", "by", "before", "previous") select "user_id", "seq", "id", "at", "device", "kind", "item", "mutation", "group_id", "undoes", "fields", "by", "before", "previous" from "changes";
drop table "changes";
alter table "rebuilt_changes" rename to "changes";
CREATE INDEX "changes_by_mutation" on "changes" ("user_id", "mutation", "item") where mutation is not null;
CREATE INDEX "changes_by_group" on "changes" ("user_id", "group_id") where group_id is not null;
CREATE INDEX "edits_of_item" on "changes" ("user_id", "item", "seq", "previous") where previous is distinct from 0;
-- 009-expand-reminders
create table "rebuilt_tasks" ("user_id" text not null references "users" ("id") on delete cascade, "id" text not null, "version" integer not null, "title" text not null, "due_date" text not null, "priority" integer not null check (priority in (1, 2, 3)), "created_at" integer not null, "done_at" integer, "deleted_at" integer, "due_time" text default '24:00' not null, "repeat" text, "repeat_from" integer default 1 not null, "repeat_day" text, "series" text, "reminders" text, "body" text not null, "folded" text default '' not null, constraint "tasks_by_id" primary key ("user_id", "id")) strict, without rowid;
insert into "rebuilt_tasks" ("user_id", "id", "version", "title", "due_date", "priority", "created_at", "done_at", "deleted_at", "due_time", "repeat", "repeat_from", "repeat_day", "series", "body", "folded") select "user_id", "id", "version", "title", "due_date", "priority", "created_at", "done_at", "deleted_at", "due_time", "repeat", "repeat_from", "repeat_day", "series", "body", "folded" from "tasks";
drop table "tasks";
alter table "rebuilt_tasks" rename to "tasks";
CREATE INDEX "tasks_by_creation" on "tasks" ("user_id", "created_at", "id") where done_at is null and deleted_at is null;
CREATE INDEX "tasks_by_completion" on "tasks" ("user_id", "done_at", "id") where done_at is not null and deleted_at is null;
CREATE INDEX "tasks_by_deletion" on "tasks" ("user_id", "deleted_at", "id") where deleted_at is not null;
CREATE INDEX "deleted_tasks" on "tasks" ("deleted_at") where deleted_at is not null;
CREATE INDEX "tasks_by_day_and_time" on "tasks" ("user_id", "due_date", "due_time", "priority", "id") where done_at is null and deleted_at is null;
CREATE INDEX "tasks_by_priority_and_time" on "tasks" ("user_id", "priority", "due_date", "due_time", "id") where done_at is null and deleted_at is null;
CREATE INDEX "tasks_by_creation_without_day" on "tasks" ("user_id", "created_at", "id") where done_at is null and deleted_at is null and due_date = '9999-12-31';
alter table "users" add column "remind_from" text;
create table "subscriptions" ("user_id" text not null, "id" text not null, "token_hash" text not null, "created_at" integer not null, "endpoint" text not null, "p256dh" text not null, "auth" text not null, "origin" text not null, constraint "subscriptions_key" primary key ("user_id", "id"), constraint "subscriptions_of_session" unique ("user_id", "token_hash"), constraint "subscriptions_session" foreign key ("user_id", "token_hash") references "sessions" ("user_id", "token_hash") on delete cascade) strict, without rowid;
create table "reminder_jobs" ("user_id" text not null references "users" ("id") on delete cascade, "item" text not null, "reminder" text not null, "subscription" text not null, "service" text not null, "remind_at" integer not null, "due" integer, "lease" integer, "attempts" integer not null, "held" integer not null, "others" text not null, constraint "reminder_jobs_key" primary key ("user_id", "item", "reminder", "subscription")) strict, without rowid;
create table "push" ("id" integer not null primary key, "vapid" text not null, "secret" text not null, "is_on" integer not null, "not_before" integer not null) strict;
create index "reminder_jobs_by_due" on "reminder_jobs" ("due") where due is not null;
create index "users_to_remind" on "users" ("remind_from") where remind_from is not null;
-- 010-expand-series
create index "tasks_of_series" on "tasks" ("user_id", "series", "repeat_day", "id") where series is not null;
