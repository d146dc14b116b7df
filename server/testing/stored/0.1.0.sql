
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.accounts (
    email text NOT NULL,
    user_id uuid NOT NULL
);
CREATE TABLE public.attempts (
    key text NOT NULL,
    count integer NOT NULL,
    since bigint NOT NULL,
    last_at bigint NOT NULL
);
CREATE TABLE public.changes (
    user_id uuid NOT NULL,
    seq bigint NOT NULL,
    id uuid NOT NULL,
    at bigint NOT NULL,
    device text NOT NULL,
    kind text NOT NULL,
    item uuid,
    mutation uuid,
    group_id uuid,
    undoes bigint,
    fields text NOT NULL,
    before text,
    previous bigint
);
CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.notes (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    version bigint NOT NULL,
    pinned integer NOT NULL,
    created_at bigint NOT NULL,
    changed_at bigint NOT NULL,
    deleted_at bigint,
    saved_seq bigint NOT NULL,
    saved_by text NOT NULL,
    version_since bigint NOT NULL,
    title text NOT NULL,
    snippet text NOT NULL,
    text text NOT NULL,
    folded text NOT NULL,
    CONSTRAINT notes_pinned_check CHECK ((pinned = ANY (ARRAY[0, 1])))
);
CREATE TABLE public.sessions (
    user_id uuid NOT NULL,
    token_hash text NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL
);
CREATE TABLE public.tasks (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    version bigint NOT NULL,
    title text NOT NULL,
    due_date date NOT NULL,
    priority integer NOT NULL,
    created_at bigint NOT NULL,
    done_at bigint,
    deleted_at bigint,
    body text NOT NULL,
    folded text DEFAULT ''::text NOT NULL,
    CONSTRAINT tasks_priority_check CHECK ((priority = ANY (ARRAY[1, 2, 3])))
);
CREATE TABLE public.users (
    id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    password_hash text NOT NULL,
    created_at bigint NOT NULL,
    seq bigint NOT NULL,
    head uuid NOT NULL,
    task_count integer NOT NULL,
    stored_bytes bigint NOT NULL,
    trim_at bigint NOT NULL,
    closed_at bigint,
    settings text DEFAULT '{}'::text NOT NULL
);
CREATE TABLE public.versions (
    user_id uuid NOT NULL,
    seq bigint NOT NULL,
    note_id uuid NOT NULL,
    at bigint NOT NULL,
    device text NOT NULL,
    thinned integer NOT NULL,
    text text NOT NULL
);
INSERT INTO public.accounts VALUES ('ada@example.org', '01a207cb-2a4d-7000-ae89-08aadd975c45');
INSERT INTO public.accounts VALUES ('eve@example.org', '01a207cb-2e11-7000-abbc-c25773aed5c6');
INSERT INTO public.attempts VALUES ('known sites cfe00dde46ef942601ffafb9e2825e802858b460e586b8305b344c1eb826357d', 1, 1795427084877, 1795427084877);
INSERT INTO public.attempts VALUES ('known site d5f8a4a630519b6b3d608f81504228093970c5d638ebfcafb7b7df3255926b51', 1, 1795427084877, 1795427084877);
INSERT INTO public.attempts VALUES ('login address 12ca17b49af2289436f303e0166030a21e525d266e209267433801a8fd4071a0', 0, 1795427084947, 1795427084947);
INSERT INTO public.attempts VALUES ('login account cfe00dde46ef942601ffafb9e2825e802858b460e586b8305b344c1eb826357d', 0, 1795427084947, 1795427084947);
INSERT INTO public.attempts VALUES ('login site d5f8a4a630519b6b3d608f81504228093970c5d638ebfcafb7b7df3255926b51', 0, 1795427084947, 1795427084947);
INSERT INTO public.attempts VALUES ('known sites 39f2b0c720afb91f8d1058eacd9a56f2cee2a0535cc810a46a0b531e6cdd1c08', 1, 1795427085841, 1795427085841);
INSERT INTO public.attempts VALUES ('known site 4035a1c6313083765eb5acef791f9a071dba609700595e96ce70a7e4aaad082b', 1, 1795427085841, 1795427085841);
INSERT INTO public.attempts VALUES ('signup address 12ca17b49af2289436f303e0166030a21e525d266e209267433801a8fd4071a0', 3, 1795427084727, 1795427085904);
INSERT INTO public.attempts VALUES ('known sites 686b5e4cf4f963adf8f51468a48028ef8d15bd02fa335f821279a3d1678c9615', 1, 1795427086033, 1795427086033);
INSERT INTO public.attempts VALUES ('known site 5e8458c41336539850b3f323bd2e0efd0983cb7041ff896fa6657a192bb546af', 1, 1795427086033, 1795427086033);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 0, '5cfaa2d3-219a-449c-ace5-52fe6d08c5db', 1795427084877, '', 'start', NULL, NULL, NULL, NULL, '', NULL, NULL);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 1, '077f95fa-f028-4190-a9dc-ffa83f1d8150', 1795427085012, '3c3adc6a73b3cfec8efd650d86151b0d', 'task', '01a207cb-2ad5-7000-ab4e-a149cf84b311', NULL, NULL, NULL, 'title body due_date priority done_at deleted_at', NULL, 0);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 2, '31662d15-9116-4225-811a-ed805c99932b', 1795427085022, '3c3adc6a73b3cfec8efd650d86151b0d', 'task', '01a207cb-2ade-7000-9815-0bcbaecde94e', NULL, NULL, NULL, 'title body due_date priority done_at deleted_at', NULL, 0);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 3, 'fb66c78d-01b5-4240-bfcb-eda02f8c2cb2', 1795427085030, '3c3adc6a73b3cfec8efd650d86151b0d', 'task', '01a207cb-2ae6-7000-b236-b70914f72d91', NULL, NULL, NULL, 'title body due_date priority done_at deleted_at', NULL, 0);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 4, '924711fa-84c0-4ba3-ae9f-bda6f0384b44', 1795427085043, '3c3adc6a73b3cfec8efd650d86151b0d', 'task', '01a207cb-2ae6-7000-b236-b70914f72d91', '7da625d1-2a6c-448b-98dd-073768ef93be', '4ee8b0f5-a7e1-467a-9557-48e72eb5769a', NULL, 'title', '{"title":"Before the edit"}', 3);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 5, 'a54c6500-9c7c-4947-91fb-e6c528ee2729', 1795427085055, '3c3adc6a73b3cfec8efd650d86151b0d', 'task', '01a207cb-2ae6-7000-b236-b70914f72d91', '3692e1fe-adb1-4cb7-8839-02ae15530e85', NULL, NULL, 'priority', '{"priority":2}', 4);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 6, '57d5e53a-6a36-4251-86b8-44dec42c7aad', 1795427085069, '3c3adc6a73b3cfec8efd650d86151b0d', 'same', '01a207cb-2ae6-7000-b236-b70914f72d91', 'a25966c7-7c9b-4192-9728-0cef1054c500', NULL, NULL, '', '{}', 0);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 7, '0f287613-7dd6-4d70-ba07-5616c89c9693', 1795427085078, '3c3adc6a73b3cfec8efd650d86151b0d', 'task', '01a207cb-2ae6-7000-b236-b70914f72d91', 'e1d8bf20-7103-4ef3-954e-1a99f70161b1', NULL, NULL, 'body', '{"body":""}', 5);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 8, 'be989f34-4ad3-4be1-90ee-8e7a3bf17879', 1795427085086, '3c3adc6a73b3cfec8efd650d86151b0d', 'task', '01a207cb-2ae6-7000-b236-b70914f72d91', NULL, NULL, 7, 'body', '{"body":"undone"}', 7);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 9, '4c13086e-cfb3-4021-87a0-d879e3c68f74', 1795427085102, '3c3adc6a73b3cfec8efd650d86151b0d', 'task', '01a207cb-2b2e-7000-b5cb-2bbda89dd50e', NULL, NULL, NULL, 'title body due_date priority done_at deleted_at', NULL, 0);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 10, '0838f488-8bd7-43c0-95bc-34a3706c2acf', 1795427085108, '3c3adc6a73b3cfec8efd650d86151b0d', 'task', '01a207cb-2b2e-7000-b5cb-2bbda89dd50e', '87e8f6ad-c8dd-4d6d-8a41-c5849c233947', NULL, NULL, 'done_at', '{"done_at":null}', 9);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 11, '3acbce86-c3a0-40f8-8288-7ee382733965', 1795427085124, '3c3adc6a73b3cfec8efd650d86151b0d', 'task', '01a207cb-2b44-7000-b0ac-799c2a62b6f9', NULL, NULL, NULL, 'title body due_date priority done_at deleted_at', NULL, 0);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 12, '0117bbbd-e9da-462e-8796-0e99dc63c9c3', 1795427085130, '3c3adc6a73b3cfec8efd650d86151b0d', 'task', '01a207cb-2b44-7000-b0ac-799c2a62b6f9', 'daf59a26-2be9-473d-9c40-c35c1f46d046', NULL, NULL, 'deleted_at', '{"deleted_at":null}', 11);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 13, '02388969-dca8-48ab-871b-bcea1c99f5e3', 1795427085145, '3c3adc6a73b3cfec8efd650d86151b0d', 'task', '01a207cb-2b59-7000-a693-147652a859b0', NULL, NULL, NULL, 'title body due_date priority done_at deleted_at', NULL, 0);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 14, '4086d908-f3b5-4600-affa-84ea1ca744cd', 1795427085191, '3c3adc6a73b3cfec8efd650d86151b0d', 'blank', '01a207cb-2b59-7000-a693-147652a859b0', 'a1e38254-8dde-49bc-9a61-231b2cac18d7', NULL, NULL, 'title', NULL, 13);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 15, 'ddd7074e-16fb-4619-a884-c3b6d6bef1ef', 1795427085208, '3c3adc6a73b3cfec8efd650d86151b0d', 'blank', '01a207cb-2b59-7000-a693-147652a859b0', 'b09a6946-1977-494f-96e9-8403121508be', NULL, NULL, 'deleted_at', NULL, 14);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 16, '0cd1b50f-0e86-49b9-a4fa-9fe858f54113', 1795427085221, '', 'purge', '01a207cb-2b59-7000-a693-147652a859b0', NULL, NULL, NULL, 'task', NULL, NULL);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 17, 'd2081bcf-bef9-4d94-89b8-f57728974928', 1795427085245, '3c3adc6a73b3cfec8efd650d86151b0d', 'note', 'a97def16-4293-4b58-9478-173483e4908b', '9a4e5e7f-b96f-453a-b094-133db756a03e', '4ac0f808-4021-43cd-b1fd-9b9eac5e36b0', NULL, 'text pinned deleted_at', NULL, 0);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 18, 'ab6c2cd4-7d0a-4540-885a-45957f2fad4b', 1795427085265, '3c3adc6a73b3cfec8efd650d86151b0d', 'note', 'a97def16-4293-4b58-9478-173483e4908b', '5db08bd2-1bd6-462c-abd1-aab55dc1722f', 'ff6dde0f-6960-44de-aa2b-9f731fe73613', NULL, 'text', '{"version":17}', 17);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 19, '04ceba5c-488e-4d03-af87-00b98dbfb273', 1795427085274, '3c3adc6a73b3cfec8efd650d86151b0d', 'note', 'a97def16-4293-4b58-9478-173483e4908b', '29922b4d-84a0-4448-801f-cc311dabcce3', 'e1c96a0e-565d-4d76-8203-314c24c36824', NULL, 'text', '{"version":18}', 18);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 20, 'ce307c55-6b7a-43fe-9649-2d10340e8605', 1795427085292, '3c3adc6a73b3cfec8efd650d86151b0d', 'note', 'a97def16-4293-4b58-9478-173483e4908b', '687e0098-93d4-4be2-b29c-d23532ad8c01', NULL, NULL, 'pinned', '{"pinned":0}', 19);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 21, '523ded1d-d3cb-492b-8bf3-803f50e695da', 1795427085304, '3c3adc6a73b3cfec8efd650d86151b0d', 'note', 'a97def16-4293-4b58-9478-173483e4908b', 'fd147b0a-c734-403e-9bc5-9be17264578d', 'aa0c260c-100d-45e5-8a60-d68a89f5f641', NULL, 'text', '{"version":19}', 20);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 22, '259fb5df-d99a-4c7b-a06d-bc29d89154b7', 1795427085387, '3c3adc6a73b3cfec8efd650d86151b0d', 'note', 'ec1f5105-ca48-471a-87ea-b11765da2962', 'a1628b75-5a04-4e93-b04e-c747b693492b', '1c48cdc0-5e15-439d-b3b4-fd430df0989c', NULL, 'text pinned deleted_at', NULL, 0);
INSERT INTO public.changes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 23, '658659fb-6f26-479a-8587-fbf3f7a5fdf5', 1795427085577, '3c3adc6a73b3cfec8efd650d86151b0d', 'note', 'ec1f5105-ca48-471a-87ea-b11765da2962', 'c1060e16-d141-4c75-8ec6-ae49495fdf9b', NULL, NULL, 'deleted_at', '{"deleted_at":null}', 22);
INSERT INTO public.changes VALUES ('01a207cb-2e11-7000-abbc-c25773aed5c6', 0, 'efb9420b-0322-4aa0-926f-ad35136ef62a', 1795427085841, '', 'start', NULL, NULL, NULL, NULL, '', NULL, NULL);
INSERT INTO public.changes VALUES ('01a207cb-2e11-7000-abbc-c25773aed5c6', 1, 'cb300225-f479-46ee-9171-dc6f2bde2051', 1795427085891, 'ae050ad47d55ef94491d07db62c4caf5', 'task', '01a207cb-2e43-7000-8c9c-ba12a6b4afa2', NULL, NULL, NULL, 'title body due_date priority done_at deleted_at', NULL, 0);
INSERT INTO public.changes VALUES ('01a207cb-2ed1-7000-b49e-f0774c0e0d62', 0, '7c5c1902-492a-4a75-a3f9-2a879de8ea36', 1795427086033, '', 'start', NULL, NULL, NULL, NULL, '', NULL, NULL);
INSERT INTO public.changes VALUES ('01a207cb-2ed1-7000-b49e-f0774c0e0d62', 1, '221bf644-8099-4750-b9c0-8a912876578b', 1795427086073, '9fc4b5b1e1cf9325aaf6444dc385f5c3', 'task', '01a207cb-2ef9-7000-998f-8d4523c944c0', NULL, NULL, NULL, 'title body due_date priority done_at deleted_at', NULL, 0);
INSERT INTO public.kysely_migration VALUES ('001-start', '2026-11-23T09:44:43.442Z');
INSERT INTO public.kysely_migration_lock VALUES ('migration_lock', 0);
INSERT INTO public.notes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 'a97def16-4293-4b58-9478-173483e4908b', 21, 1, 1795427085245, 1795427085304, NULL, 21, '3c3adc6a73b3cfec8efd650d86151b0d', 1795427085304, 'Überfällig 😀', 'four, [a task](task:01a207cb-2ae6-7000-b236-b70914f72d91)', '# Überfällig 😀

four, [a task](task:01a207cb-2ae6-7000-b236-b70914f72d91)', 'uberfallig 😀
# uberfallig 😀

four, [a task](task:01a207cb-2ae6-7000-b236-b70914f72d91)');
INSERT INTO public.notes VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 'ec1f5105-ca48-471a-87ea-b11765da2962', 23, 0, 1795427085387, 1795427085387, 1795427085577, 22, '3c3adc6a73b3cfec8efd650d86151b0d', 1795427085387, 'A deleted note', '', 'A deleted note', 'a deleted note
a deleted note');
INSERT INTO public.sessions VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', '3c3adc6a73b3cfec8efd650d86151b0d7d36d6322d85d04bfb64f566fa726f79', 1795427084877, 1795427084877);
INSERT INTO public.sessions VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', '96954141426355df88f0700da3a19c3106be0aa49f117c25b5f1ebc7b0c957c5', 1795427084982, 1795427084982);
INSERT INTO public.sessions VALUES ('01a207cb-2e11-7000-abbc-c25773aed5c6', 'ae050ad47d55ef94491d07db62c4caf52e2146f03276fa7b4eb2f33d51364b83', 1795427085841, 1795427085841);
INSERT INTO public.sessions VALUES ('01a207cb-2ed1-7000-b49e-f0774c0e0d62', '9fc4b5b1e1cf9325aaf6444dc385f5c379ad350eda63a49e78fafdefa8f3635c', 1795427086033, 1795427086033);
INSERT INTO public.tasks VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', '01a207cb-2ad5-7000-ab4e-a149cf84b311', 1, 'Überfällig 😀', '2020-02-29', 1, 1795427085012, NULL, NULL, 'one
two #tag', 'uberfallig 😀
one
two #tag');
INSERT INTO public.tasks VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', '01a207cb-2ade-7000-9815-0bcbaecde94e', 2, 'Später', '2100-01-01', 3, 1795427085022, NULL, NULL, '', 'spater
');
INSERT INTO public.tasks VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', '01a207cb-2ae6-7000-b236-b70914f72d91', 8, 'After the edit', '2026-11-23', 3, 1795427085030, NULL, NULL, '', 'after the edit
');
INSERT INTO public.tasks VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', '01a207cb-2b2e-7000-b5cb-2bbda89dd50e', 10, 'Done', '2026-11-23', 2, 1795427085102, 1795427085108, NULL, '', 'done
');
INSERT INTO public.tasks VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', '01a207cb-2b44-7000-b0ac-799c2a62b6f9', 12, 'Deleted', '2026-11-23', 2, 1795427085124, NULL, 1795427085130, '', 'deleted
');
INSERT INTO public.tasks VALUES ('01a207cb-2e11-7000-abbc-c25773aed5c6', '01a207cb-2e43-7000-8c9c-ba12a6b4afa2', 1, 'A', '2026-11-23', 1, 1795427085891, NULL, NULL, '', 'a
');
INSERT INTO public.tasks VALUES ('01a207cb-2ed1-7000-b49e-f0774c0e0d62', '01a207cb-2ef9-7000-998f-8d4523c944c0', 1, 'B', '2026-11-23', 1, 1795427086073, NULL, NULL, '', 'b
');
INSERT INTO public.users VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 'Ada', 'ada@example.org', '$argon2id$v=19$m=19456,t=2,p=1$vGW+H7agPPIhLwf9YuafIg$4MA6jzz0hArFGFOCmvEiPseG7MzhFK150LRR1uSpcGU', 1795427084877, 23, '658659fb-6f26-479a-8587-fbf3f7a5fdf5', 4, 7057, 1798019084877, NULL, '{"theme":"dark"}');
INSERT INTO public.users VALUES ('01a207cb-2e11-7000-abbc-c25773aed5c6', 'Eve', 'eve@example.org', '$argon2id$v=19$m=19456,t=2,p=1$IsPE2Mz+FqAQlMNPLUHh3A$4/zb1GWdlIpVcMistaCmHsCY3SY2l+4yq/609vCMpSM', 1795427085841, 1, 'cb300225-f479-46ee-9171-dc6f2bde2051', 1, 257, 1798019085841, NULL, '{}');
INSERT INTO public.users VALUES ('01a207cb-2ed1-7000-b49e-f0774c0e0d62', 'Bob', '', '$argon2id$v=19$m=19456,t=2,p=1$unOdeEpQSMeWiinFVIxhYw$0qIyksFO9RMeFC1tyffCOfdECFEjVOOV0JqgjGFMydE', 1795427086033, 1, '221bf644-8099-4750-b9c0-8a912876578b', 1, 257, 1798019086033, 1, '{}');
INSERT INTO public.versions VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 19, 'a97def16-4293-4b58-9478-173483e4908b', 1795427085274, '3c3adc6a73b3cfec8efd650d86151b0d', 0, '# Überfällig 😀

three');
INSERT INTO public.versions VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 17, 'a97def16-4293-4b58-9478-173483e4908b', 1795427085245, '3c3adc6a73b3cfec8efd650d86151b0d', 2, '# Überfällig 😀');
INSERT INTO public.versions VALUES ('01a207cb-2a4d-7000-ae89-08aadd975c45', 18, 'a97def16-4293-4b58-9478-173483e4908b', 1795427085265, '3c3adc6a73b3cfec8efd650d86151b0d', 1, '# Überfällig 😀

two');
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (email);
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_key PRIMARY KEY (user_id, seq);
ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_by_id PRIMARY KEY (user_id, id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_key PRIMARY KEY (user_id, token_hash);
ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_by_id PRIMARY KEY (user_id, id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.versions
    ADD CONSTRAINT versions_key PRIMARY KEY (user_id, seq);
CREATE INDEX attempts_of_known_sites ON public.attempts USING btree (since) WHERE (key ~~ 'known %'::text);
CREATE INDEX attempts_of_others ON public.attempts USING btree (since) WHERE (key !~~ 'known %'::text);
CREATE INDEX changes_by_group ON public.changes USING btree (user_id, group_id) WHERE (group_id IS NOT NULL);
CREATE INDEX changes_by_mutation ON public.changes USING btree (user_id, mutation, item) WHERE (mutation IS NOT NULL);
CREATE INDEX closed_users ON public.users USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX deleted_notes ON public.notes USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX deleted_tasks ON public.tasks USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX edits_of_item ON public.changes USING btree (user_id, item, seq, previous) WHERE (previous IS DISTINCT FROM 0);
CREATE INDEX logs_to_trim ON public.users USING btree (trim_at);
CREATE INDEX notes_by_change ON public.notes USING btree (user_id, pinned, changed_at, id, deleted_at) WHERE (deleted_at IS NULL);
CREATE INDEX notes_by_deletion ON public.notes USING btree (user_id, deleted_at, id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX sessions_by_creation ON public.sessions USING btree (created_at);
CREATE INDEX sessions_by_use ON public.sessions USING btree (last_used_at);
CREATE INDEX sessions_of_user ON public.sessions USING btree (user_id, created_at);
CREATE INDEX tasks_by_completion ON public.tasks USING btree (user_id, done_at, id) WHERE ((done_at IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX tasks_by_creation ON public.tasks USING btree (user_id, created_at, id) WHERE ((done_at IS NULL) AND (deleted_at IS NULL));
CREATE INDEX tasks_by_day ON public.tasks USING btree (user_id, due_date, priority, id) WHERE ((done_at IS NULL) AND (deleted_at IS NULL));
CREATE INDEX tasks_by_deletion ON public.tasks USING btree (user_id, deleted_at, id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX tasks_by_priority ON public.tasks USING btree (user_id, priority, due_date, id) WHERE ((done_at IS NULL) AND (deleted_at IS NULL));
CREATE INDEX versions_of_note ON public.versions USING btree (user_id, note_id, seq);
CREATE INDEX versions_to_thin_by_day ON public.versions USING btree (at) WHERE (thinned = 1);
CREATE INDEX versions_to_thin_by_hour ON public.versions USING btree (at) WHERE (thinned = 0);
ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.versions
    ADD CONSTRAINT versions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
