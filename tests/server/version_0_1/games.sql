BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE entries (
	table_id VARCHAR(16) NOT NULL, 
	number INTEGER NOT NULL, 
	kind VARCHAR(12) NOT NULL, 
	at FLOAT NOT NULL, 
	seat INTEGER, 
	body JSON NOT NULL, 
	author VARCHAR(64), 
	client_id VARCHAR(64), 
	PRIMARY KEY (table_id, number), 
	CONSTRAINT uq_entries_client_id UNIQUE (table_id, author, client_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "entries" VALUES('KQk-Mu0fnjABgLqK',1,'sit',1000000.0,0,'{"name": "Ann", "key": "8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8"}',NULL,NULL);
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',1,'sit',1000000.0,0,'{"name": "Ann", "key": "8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8"}',NULL,NULL);
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',2,'sit',1000000.0,1,'{"name": "Bob", "key": "c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1"}',NULL,NULL);
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',3,'start',1000000.0,NULL,'{}',NULL,NULL);
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',4,'decide',1000000.0,0,'{"decision": 152}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','d7aa2b6e3640a50f');
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',5,'decide',1000000.0,1,'{"decision": 148}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','c2ca096d87caba02');
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',6,'decide',1000000.0,0,'{"decision": 192}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','a50cc395c8e5ce8e');
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',7,'decide',1000000.0,1,'{"decision": 181}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','3ca8d2ba66c70d2e');
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',8,'decide',1000000.0,0,'{"decision": 178}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','8393c893490f09df');
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',9,'decide',1000000.0,1,'{"decision": 185}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','514490a299d92689');
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',10,'decide',1000000.0,0,'{"decision": 160}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','6b1d5499f4d8032d');
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',11,'decide',1000000.0,1,'{"decision": 171}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','ae5763030854b6bf');
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',12,'decide',1000000.0,0,'{"decision": 0}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','b27d5996143893ee');
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',13,'decide',1000000.0,0,'{"decision": 246}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','66867e117ed4367e');
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',14,'decide',1000000.0,1,'{"decision": 101}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','3946b2cc97738c05');
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',15,'decide',1000000.0,1,'{"decision": 241}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','73093cdd0ee2316d');
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',16,'decide',1000000.0,0,'{"decision": 2}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','62223bd4a8b5cc54');
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',17,'decide',1000000.0,1,'{"decision": 249}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','8dc15bf3db741e9d');
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',18,'decide',1000000.0,1,'{"decision": 249}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','c00c327382df302a');
INSERT INTO "entries" VALUES('US5zUU7dnPkDegwK',19,'decide',1000000.0,0,'{"decision": 49}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','257f07be734da410');
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',1,'sit',1000000.0,0,'{"name": "Ann", "key": "8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8"}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',2,'sit',1000000.0,1,'{"name": "Bob", "key": "c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1"}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',3,'start',1000000.0,NULL,'{}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',4,'decide',1000000.0,0,'{"decision": 47}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','e6fb6d0e80328f77');
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',5,'decide',1000000.0,1,'{"decision": 49}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','860e3fc1c4990115');
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',6,'decide',1000000.0,0,'{"decision": 53}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','b0b78429ba1f4432');
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',7,'decide',1000000.0,1,'{"decision": 50}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','83dfab84eac0a7b9');
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',8,'leave',1000000.0,0,'{}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',9,'leave',1000000.0,1,'{}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',10,'take_over',1001000.0,0,'{"reason": "left"}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',11,'take_over',1001000.0,1,'{"reason": "left"}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',12,'decide',1001000.0,0,'{"decision": 94}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',13,'decide',1001000.0,0,'{"decision": 92}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',14,'decide',1001000.0,1,'{"decision": 30}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',15,'decide',1001000.0,1,'{"decision": 85}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',16,'decide',1001000.0,0,'{"decision": 4}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',17,'decide',1001000.0,1,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',18,'decide',1001000.0,1,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',19,'decide',1001000.0,0,'{"decision": 92}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',20,'decide',1001000.0,0,'{"decision": 93}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',21,'decide',1001000.0,1,'{"decision": 93}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',22,'decide',1001000.0,1,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',23,'decide',1001000.0,0,'{"decision": 96}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',24,'decide',1001000.0,0,'{"decision": 94}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',25,'decide',1001000.0,1,'{"decision": 92}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',26,'decide',1001000.0,0,'{"decision": 5}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',27,'decide',1001000.0,1,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',28,'decide',1001000.0,1,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',29,'decide',1001000.0,0,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',30,'decide',1001000.0,0,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',31,'decide',1001000.0,1,'{"decision": 14}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',32,'decide',1001000.0,1,'{"decision": 87}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',33,'decide',1001000.0,1,'{"decision": 87}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',34,'decide',1001000.0,0,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',35,'decide',1001000.0,0,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',36,'decide',1001000.0,1,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',37,'decide',1001000.0,1,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',38,'decide',1001000.0,0,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',39,'decide',1001000.0,0,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',40,'decide',1001000.0,1,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',41,'decide',1001000.0,1,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',42,'decide',1001000.0,0,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',43,'decide',1001000.0,0,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',44,'decide',1001000.0,1,'{"decision": 8}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',45,'decide',1001000.0,1,'{"decision": 89}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',46,'decide',1001000.0,1,'{"decision": 89}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',47,'decide',1001000.0,0,'{"decision": 28}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',48,'decide',1001000.0,1,'{"decision": 2}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',49,'decide',1001000.0,0,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',50,'decide',1001000.0,0,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',51,'decide',1001000.0,1,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',52,'decide',1001000.0,1,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',53,'decide',1001000.0,0,'{"decision": 0}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',54,'decide',1001000.0,0,'{"decision": 89}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',55,'decide',1001000.0,1,'{"decision": 9}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',56,'decide',1001000.0,0,'{"decision": 16}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',57,'decide',1001000.0,1,'{"decision": 6}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',58,'decide',1001000.0,1,'{"decision": 84}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',59,'decide',1001000.0,0,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('cZIl16VagGUrY3dj',60,'decide',1001000.0,0,'{"decision": 91}',NULL,NULL);
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',1,'sit',1001000.0,0,'{"name": "Ann", "key": "8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8"}',NULL,NULL);
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',2,'sit',1001000.0,1,'{"name": "Bob", "key": "c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1"}',NULL,NULL);
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',3,'start',1001000.0,NULL,'{}',NULL,NULL);
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',4,'decide',1001000.0,0,'{"decision": 44}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','94ba4ec27f9b84a6');
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',5,'decide',1001000.0,1,'{"decision": 31}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','dd78663b802c20f1');
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',6,'decide',1001000.0,0,'{"decision": 30}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','5e08a6b7030a83c9');
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',7,'decide',1001000.0,1,'{"decision": 35}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','87b26b5476dae20f');
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',8,'decide',1001000.0,0,'{"decision": 23}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','574e31346b330695');
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',9,'decide',1001000.0,1,'{"decision": 2}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','da35d19cd1d7caaa');
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',10,'decide',1001000.0,0,'{"decision": 45}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','ca2a74f5d90fe010');
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',11,'decide',1001000.0,1,'{"decision": 41}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','1825c4aaab398818');
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',12,'decide',1001000.0,0,'{"decision": 8}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','5fe1350bfd2f9ffc');
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',13,'decide',1001000.0,1,'{"decision": 24}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','4accf8cecde7fc18');
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',14,'decide',1001000.0,0,'{"decision": 28}','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','3555d11efe33e9d6');
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',15,'decide',1001000.0,1,'{"decision": 36}','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1','bdbf9aeeea03470d');
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',16,'abandon',1001000.0,0,'{"gives_up": true}',NULL,NULL);
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',17,'leave',1001000.0,1,'{}',NULL,NULL);
INSERT INTO "entries" VALUES('nKbMg9Rf2Ejluk58',18,'take_over',1001000.0,1,'{"reason": "left"}',NULL,NULL);
CREATE TABLE sitters (
	table_id VARCHAR(16) NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	PRIMARY KEY (table_id, "key"), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "sitters" VALUES('KQk-Mu0fnjABgLqK','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8');
INSERT INTO "sitters" VALUES('US5zUU7dnPkDegwK','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8');
INSERT INTO "sitters" VALUES('US5zUU7dnPkDegwK','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1');
INSERT INTO "sitters" VALUES('cZIl16VagGUrY3dj','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8');
INSERT INTO "sitters" VALUES('cZIl16VagGUrY3dj','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1');
INSERT INTO "sitters" VALUES('nKbMg9Rf2Ejluk58','8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8');
INSERT INTO "sitters" VALUES('nKbMg9Rf2Ejluk58','c69fb40feba930717e71f01707a9fccd9ec6997e59f96ea8d1f7a076a5facec1');
CREATE TABLE tables (
	id VARCHAR(16) NOT NULL, 
	created_at FLOAT NOT NULL, 
	host VARCHAR(64) NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	rules_version INTEGER NOT NULL, 
	seed VARCHAR(32) NOT NULL, 
	"plan" JSON NOT NULL, 
	options JSON NOT NULL, 
	settings JSON NOT NULL, 
	status VARCHAR(12) NOT NULL, 
	listed INTEGER NOT NULL, 
	wake_at FLOAT, 
	PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('KQk-Mu0fnjABgLqK',1000000.0,'8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','europe',2,'712cd9ce0ed7ec03968d83e08d6b4dbb','["person", "person", "easy"]','{}','{"open": true, "spectators": true, "turn_seconds": null, "grace_seconds": 60, "stand_in": "normal", "pace": 0.0}','waiting',1,1604801.0);
INSERT INTO "tables" VALUES('US5zUU7dnPkDegwK',1000000.0,'8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','europe',2,'d9da24bf48ab50b705cd2bbeb37cd7f0','["person", "person"]','{}','{"open": false, "spectators": true, "turn_seconds": null, "grace_seconds": 60, "stand_in": "normal", "pace": 0.0}','playing',0,6184001.0);
INSERT INTO "tables" VALUES('cZIl16VagGUrY3dj',1000000.0,'8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','london',2,'e94ab9cded312d1c4b034b9be8828751','["person", "person"]','{}','{"open": false, "spectators": true, "turn_seconds": null, "grace_seconds": 60, "stand_in": "normal", "pace": 0.0}','finished',0,NULL);
INSERT INTO "tables" VALUES('nKbMg9Rf2Ejluk58',1001000.0,'8a5bdb4cc15164126c6ef2668de9dd240d299ce6397a42c95a9411b93d080ed8','card-game',2,'ee53a8216ccef29c6f5205973974db9e','["person", "person"]','{}','{"open": false, "spectators": true, "turn_seconds": null, "grace_seconds": 0, "stand_in": "normal", "pace": 0.0}','abandoned',0,NULL);
CREATE INDEX ix_tables_host ON tables (host);
CREATE INDEX ix_tables_listed ON tables (listed, created_at);
CREATE INDEX ix_tables_wake_at ON tables (wake_at);
CREATE INDEX ix_sitters_key ON sitters ("key");
COMMIT;
