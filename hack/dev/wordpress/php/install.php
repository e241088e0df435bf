<?php
// Makes the blog and its users, and prints their application passwords. Repeated, it prints the same.
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
for (;;) {
    try {
        $db = new mysqli('localhost', 'root', '', '', 0, '{{.Socket}}');
        break;
    } catch (mysqli_sql_exception $e) {
        usleep(100000); // until the server listens; whoever runs this gives up
    }
}
$db->query('CREATE DATABASE IF NOT EXISTS wordpress CHARACTER SET utf8mb4');
mysqli_report(MYSQLI_REPORT_OFF);

$passwords = '{{.Folder}}/passwords.json';
if (is_file($passwords)) {
    readfile($passwords);
    return;
}
define('WP_INSTALLING', true);
require '{{.Folder}}/www/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Acme News', 'admin', 'admin@acme.example', false, '', wp_generate_password(24, false));
foreach (get_posts(['post_type' => ['post', 'page'], 'post_status' => 'any', 'numberposts' => -1]) as $post) {
    wp_delete_post($post->ID, true);
}
$GLOBALS['wp_rewrite']->set_permalink_structure('/%postname%/');
flush_rewrite_rules();
switch_theme('twentytwentythree');
wp_insert_term('News', 'category', ['slug' => 'news']);
wp_insert_term('Trail', 'post_tag', ['slug' => 'trail']);

$made = [];
foreach (['author', 'editor', 'contributor'] as $role) {
    $id = wp_insert_user(['user_login' => $role, 'user_pass' => wp_generate_password(24, false), 'user_email' => "$role@acme.example", 'role' => $role]);
    [$password] = WP_Application_Passwords::create_new_application_password($id, ['name' => 'Pressroom']);
    $made[$role] = WP_Application_Passwords::chunk_password($password);
}
file_put_contents($passwords, json_encode($made));
readfile($passwords);
